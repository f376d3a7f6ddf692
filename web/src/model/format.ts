/** Numbers and times as people read them. */

const number = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat("en");

export function tokens(count: number): string {
  return count < 10_000 ? exact.format(count) : number.format(count);
}

/** A cost that is not known is not zero. */
export function dollars(cost: number | null): string {
  if (cost === null) return "cost unknown";
  return `$${cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toFixed(cost < 0.01 ? 4 : 3)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** How long ago, in the largest unit that fits. */
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < 45_000) return "just now";
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 30 ? `${days} ${days === 1 ? "day" : "days"} ago` : dateOf(at);
}

export function dateOf(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: "medium" });
}

export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour12: false });
}

export function whole(at: number): string {
  return new Date(at).toLocaleString();
}

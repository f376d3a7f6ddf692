/** The environment that a command gets: what programs need to work at all, and nothing that happens to be a secret. */

/** Where programs are found, who and where the user is, which language and terminal, where temporary files go. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL"],
  ...["LANG", "LANGUAGE", "TZ", "TERM", "NO_COLOR", "TMPDIR"],
  // Without these no program starts on Windows.
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERNAME", "USERPROFILE"],
  ...["APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Passes on the allowed variables (with every `LC_…`) and those that are named. */
export function passedOn(all: Environment, named: readonly string[] = []): Record<string, string> {
  const names = new Set(named);
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && (names.has(name) || isAllowed(name))) passed[name] = value;
  }
  return passed;
}

function isAllowed(name: string): boolean {
  // Windows does not tell `Path` from `PATH`.
  const known = process.platform === "win32" ? name.toUpperCase() : name;
  return ALLOWED.has(known) || known.startsWith("LC_");
}

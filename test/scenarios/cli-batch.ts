/** Runs several command lines one after the other in one process, each as its own: what they print comes back as JSON. */
import { main } from "../../src/cli/command-line.ts";

const calls = JSON.parse(process.argv[2] ?? "[]") as readonly (readonly string[])[];
const write = process.stdout.write.bind(process.stdout);
const said = { stdout: "", stderr: "" };
for (const name of ["stdout", "stderr"] as const) {
  process[name].write = ((chunk: string | Uint8Array) => {
    said[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return true;
  }) as typeof process.stdout.write; // callbacks and encodings are not used by the command line
}
console.error = (...parts) => {
  said.stderr += `${parts.join(" ")}\n`;
};
const ended: object[] = [];
for (const call of calls) {
  Object.assign(said, { stdout: "", stderr: "" });
  const code = await main(call);
  ended.push({ code, ...said });
}
write(JSON.stringify(ended));

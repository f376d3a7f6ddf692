/** Imports a module, or none, and prints how many milliseconds that took and how many bytes the process then has. */

const start = performance.now();
const door = process.argv[2];
if (door !== undefined) await import(door);
const milliseconds = performance.now() - start;
process.stdout.write(JSON.stringify({ milliseconds, rss: process.memoryUsage().rss }));

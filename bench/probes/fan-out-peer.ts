/** The peer's fan-out of 10,000, once; prints how many milliseconds it took. */

import { fanOutMany } from "../cases/3-fan-out.ts";

const start = performance.now();
await fanOutMany();
process.stdout.write(String(performance.now() - start));

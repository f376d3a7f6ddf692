// The command on the sources of this checkout. It is JavaScript, which Node reads as it stands, and it turns the compile
// cache on for all that follows: TypeScript is then made ready once and not at every start.
process.getBuiltinModule("node:module").enableCompileCache();
import("../src/cli/main.ts");

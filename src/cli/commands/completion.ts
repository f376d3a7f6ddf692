/** `baton completion`: a script that teaches a shell to complete verbs, flags, runs and nodes by asking Baton itself. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import type { Call } from "../verb.ts";

/** Where Baton has nothing to offer, each of them falls back to the names of files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_baton() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # A colon splits words in bash, and the ids of questions have one: what was split is joined again.
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null))
}
complete -o default -F _baton baton
`,
  zsh: `#compdef baton
_baton() {
  local -a found
  found=("\${(@f)$(\${words[1]} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then compadd -Q -- "\${found[@]}"; else _files; fi
}
compdef _baton baton
`,
  fish: `function __baton_complete
  set -l words (commandline -opc)
  set -l found ($words[1] __complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c baton -f -a '(__baton_complete)'
`,
};

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** Prints the script of a shell. */
export async function completion({ args: [shell = ""], terminal }: Call): Promise<ExitCode> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) throw new Misuse("usage", `${shell} is none of ${SHELLS.join(", ")}.`);
  terminal.document({ shell, script });
  terminal.event({ shell, script });
  terminal.print(script.trimEnd());
  return EXIT.done;
}

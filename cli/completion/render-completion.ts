/** Renders the completions of shells from the tree of commands, so that they never lack one. */
import type { Command } from 'commander'
import { type CompletedCommand, completedCommands, type Shell } from './completed-command.ts'

/** A script that the shell reads. */
export function completionOf(shell: Shell, program: Command): string {
  return renderers[shell](completedCommands(program))
}

type Render = (commands: readonly CompletedCommand[]) => string

const renderers: Readonly<Record<Shell, Render>> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** What is typed at a place that is no value of an option. */
function wordsAt({ parts, options, argumentChoices }: CompletedCommand) {
  return [
    ...parts,
    ...argumentChoices.map((name) => ({ name, description: '' })),
    ...options.map(({ name, description }) => ({ name: `--${name}`, description })),
  ]
}

/** The pattern of a `case` that recognises the next word of a command's path. */
function steps(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const words = path.split(' ')
      return `'${words.slice(0, -1).join(' ')}|${words.at(-1)}'`
    })
    .join('|')
}

/** The options that take a value, each as `path|--name`, with its choices. */
function valueOptions(commands: readonly CompletedCommand[]) {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => ({ place: `${path}|--${name}`, choices })),
  )
}

function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = valueOptions(commands).map(({ place, choices }) =>
    choices.length === 0
      ? `    '${place}') return ;;`
      : `    '${place}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`,
  )
  const words = commands.map(
    (command) =>
      `    '${command.path}') candidates='${wordsAt(command)
        .map(({ name }) => name)
        .join(' ')}' ;;`,
  )
  return `# Completion of havn for bash: source <(havn completion bash)
_havn() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" at='' candidates='' index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at|\${COMP_WORDS[index]}" in
    ${steps(commands)}) at="\${at:+$at }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at|$previous" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _havn havn
`
}

/** A colon separates a word from its description. */
const zshText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const zshWord = ({ name, description }: { readonly name: string; readonly description: string }) =>
  zshText(`${name.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`)

function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = valueOptions(commands).map(({ place, choices }) =>
    choices.length === 0
      ? `    '${place}') _files; return ;;`
      : `    '${place}') candidates=(${choices.map(zshText).join(' ')}); _describe value candidates; return ;;`,
  )
  const words = commands.map(
    (command) => `    '${command.path}') candidates=(${wordsAt(command).map(zshWord).join(' ')}) ;;`,
  )
  return `#compdef havn
# Completion of havn for zsh: source <(havn completion zsh)
_havn() {
  local at='' index
  local -a candidates
  for ((index = 2; index < CURRENT; index++)); do
    case "$at|\${words[index]}" in
    ${steps(commands)}) at="\${at:+$at }\${words[index]}" ;;
    esac
  done
  case "$at|\${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  _describe command candidates || _files
}
if [[ "\${funcstack[1]}" = _havn ]]; then
  _havn "$@"
else
  compdef _havn havn
fi
`
}

const fishText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, parts, options, argumentChoices }) => {
    const rule = `complete -c havn -n '__havn_at "${path}"'`
    return [
      ...parts.map(({ name, description }) => `${rule} -f -a ${fishText(name)} -d ${fishText(description)}`),
      ...argumentChoices.map((choice) => `${rule} -f -a ${fishText(choice)}`),
      ...options.map(({ name, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${fishText(choices.join(' '))}` : takesValue ? ' -r' : ''
        return `${rule} -l ${name}${value} -d ${fishText(description)}`
      }),
    ]
  })
  return `# Completion of havn for fish: havn completion fish > ~/.config/fish/completions/havn.fish
function __havn_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at|$word"
            case ${steps(commands).replaceAll("'|'", "' '")}
                set at (string trim "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}

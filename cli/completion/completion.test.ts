/** Tests the completions by running the shells that this machine has. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { havnProgram } from '../program.ts'
import { completedCommands, SHELLS, type Shell } from './completed-command.ts'
import { completionOf } from './render-completion.ts'

const run = promisify(execFile)
/** What is typed, and what completes it: all of it, or some of many. */
const CASES: readonly (readonly [typed: readonly string[], completed: readonly string[], others?: 'and others'])[] = [
  [['pay'], ['pay', 'payroll']],
  [['pay', '--sim'], ['--simulate']],
  [
    ['pay', '--simulate', ''],
    ['sign', 'reject'],
  ],
  [['pay', '--amount', '10', '--simulate', 's'], ['sign']],
  [['consent', ''], ['create', 'expiring', 'list'], 'and others'],
  [['consent', 'create', '--ba'], ['--bank']],
  [['completion', 'f'], ['fish']],
  [['trigger', 'EXCHANGE_PAID'], ['EXCHANGE_PAID_OUT']],
  [
    ['listen', '--events', 'ACCOUNT'],
    ['ACCOUNT_ENTRIES', 'ACCOUNT_ENTRIES_BOOKED'],
  ],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-completion-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Sets what bash sets before it calls a completion. */
const ASK_BASH = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _havn; printf "%s\n" "\${COMPREPLY[@]}"`
/** The functions of zsh's completion system print what they would offer. */
const ASK_ZSH = `
compdef() { : }; _files() { : }; _describe() { print -rl -- "\${(@P)2%%:*}" }
script=$1; shift; source $script; words=("$@"); CURRENT=$#; typed=$words[CURRENT]
_havn | while read -r line; do [[ $line = $typed* ]] && print -r -- $line; done; true`

/** The words that a shell offers, in fish with descriptions. */
const offeredBy: Readonly<Record<Shell, (script: string, words: readonly string[]) => Promise<string>>> = {
  bash: async (script, words) => (await run('bash', ['--norc', '-c', ASK_BASH, script, ...words])).stdout,
  zsh: async (script, words) => (await run('zsh', ['-f', '-c', ASK_ZSH, 'zsh', script, ...words])).stdout,
  fish: async (script, words) => {
    const ask = `source ${script}; complete -C '${words.join(' ')}'`
    return (await run('fish', ['--no-config', '-c', ask], { env: { ...process.env, HOME: folder } })).stdout
  },
}

async function exists(shell: Shell): Promise<boolean> {
  return await run(shell, ['--version']).then(
    () => true,
    () => false,
  )
}

it.each(SHELLS)('%s completes commands, options and their values, if this machine has it', async (shell) => {
  const script = join(folder, shell)
  await writeFile(script, completionOf(shell, await havnProgram()))
  const cases = (await exists(shell)) ? CASES : []
  for (const [typed, completed, others] of cases) {
    const lines = (await offeredBy[shell](script, ['havn', ...typed])).split('\n').filter((line) => line !== '')
    const words = lines.map((line) => line.split('\t')[0])
    expect(words, `${shell}: ${typed.join(' ')}`).toEqual(expect.arrayContaining([...completed]))
    expect(others ?? words.length, `${shell}: ${typed.join(' ')}`).toBe(others ?? completed.length)
  }
})

it('names every command and option in each shell', async () => {
  const program = await havnProgram()
  const commands = completedCommands(program)
  expect(commands.length).toBeGreaterThan(60)
  for (const shell of SHELLS) {
    const script = completionOf(shell, program)
    const missing = commands.flatMap(({ path, options }) => [
      ...(script.includes(`"${path}"`) || script.includes(`'${path}')`) ? [] : [path]),
      ...options
        .filter(({ name }) => !script.includes(shell === 'fish' ? `-l ${name}` : `--${name}`))
        .map(({ name }) => name),
    ])
    expect(missing, shell).toEqual([])
  }
})

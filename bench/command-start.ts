/** Measures how long commands of `havn` take, relative to a bare start of the runtime, and renders the figures. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { demoCredentials } from '../contract/examples/demo-fixture.ts'
import { measurementOf } from './bench-part.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { barResult, median } from './figures.ts'

/** Rounds of every command, after one that fills the code cache. */
type CommandLinePlan = { readonly rounds: number }

/** Seconds of wall time by command. */
type CommandLineFigures = Readonly<Record<string, number>>

export const commandStart = measurementOf<CommandLinePlan, CommandLineFigures>({
  full: { rounds: 20 },
  short: { rounds: 1 },
  measure: (onHavn, { rounds }) => onHavn((havn) => measureCommands(havn, rounds)),
  lines,
})

const HAVN = fileURLToPath(new URL('../cli/havn', import.meta.url))
const BARE = 'node -e 0'
const MISUSED = 'pay'
const SECONDS_MAX = 0.3
/** One of each kind: without code of a command, with an error of usage, with the client of the API, with the database. */
const COMMANDS = ['--help', MISUSED, 'consent list', 'tasks list']

/** Rounds alternate between the commands. */
async function measureCommands({ url, connectionString }: RunningHavn, rounds: number): Promise<CommandLineFigures> {
  const { clientId, clientSecret } = demoCredentials
  const credentials = { HAVN_URL: url, HAVN_CLIENT_ID: clientId, HAVN_CLIENT_SECRET: clientSecret }
  const env = { ...process.env, ...credentials, DATABASE_URL: connectionString }
  const secondsOf = async (file: string, words: readonly string[]): Promise<number> => {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      // A misused command ends with an exit code, not without one.
      execFile(file, words, { env }, (error) => (error === null || words[0] === MISUSED ? resolve() : reject(error)))
    })
    return (performance.now() - began) / 1_000
  }
  const seconds = Object.fromEntries([BARE, ...COMMANDS].map((command): [string, number[]] => [command, []]))
  for (let round = 0; round <= rounds; round++) {
    seconds[BARE]?.push(await secondsOf(process.execPath, ['-e', '0']))
    for (const command of COMMANDS) {
      seconds[command]?.push(await secondsOf(HAVN, command.split(' ')))
    }
  }
  return Object.fromEntries(Object.entries(seconds).map(([command, all]) => [command, median(all.slice(1))]))
}

function lines({ [BARE]: bare = Number.NaN, ...others }: CommandLineFigures): readonly string[] {
  const commands = Object.entries(others).map(([command, seconds]) => {
    const ratio = `${(seconds / bare).toFixed(1)} times a bare start`
    return `  havn ${command.padEnd(26)}${seconds.toFixed(2)} s (bar: at most ${SECONDS_MAX} s) ${barResult(seconds <= SECONDS_MAX)}, ${ratio}`
  })
  return ['Commands, until they end:', `  ${BARE.padEnd(31)}${bare.toFixed(2)} s`, ...commands]
}

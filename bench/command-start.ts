/** Measures how long commands of `havn` take, relative to a bare start of the runtime. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { demoCredentials } from '../contract/examples/demo-fixture.ts'
import { measurementOnHavn } from './bench-part.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { atMost, line, median } from './figures.ts'

/** Rounds of every command, after one that fills the code cache. */
export const commandStart = measurementOnHavn<number>({ full: 20, short: 1 }, measureCommands)

const HAVN = fileURLToPath(new URL('../cli/havn', import.meta.url))
const BARE = 'node -e 0'
const MISUSED = 'pay'
/** One of each kind: without code of a command, with an error of usage, with the client of the API, with the database. */
const COMMANDS = ['--help', MISUSED, 'consent list', 'tasks list']

/** Rounds alternate between the commands. */
async function measureCommands({ url, connectionString }: RunningHavn, rounds: number): Promise<readonly string[]> {
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
  const seconds: Record<string, number[]> = Object.fromEntries([BARE, ...COMMANDS].map((command) => [command, []]))
  for (let round = 0; round <= rounds; round++) {
    seconds[BARE]?.push(await secondsOf(process.execPath, ['-e', '0']))
    for (const command of COMMANDS) {
      seconds[command]?.push(await secondsOf(HAVN, command.split(' ')))
    }
  }
  const medianOf = (command: string) => median((seconds[command] ?? []).slice(1))
  return [
    'Commands, until they end:',
    line(BARE, `${medianOf(BARE).toFixed(2)} s`),
    ...COMMANDS.map((command) => {
      const ratio = (medianOf(command) / medianOf(BARE)).toFixed(1)
      return line(
        `havn ${command}`,
        `${atMost(medianOf(command), 0.3, { unit: ' s', decimals: 2 })}, ${ratio} times a bare start`,
      )
    }),
  ]
}

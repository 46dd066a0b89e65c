/** `havn clock`: reads and moves the clock of the sandbox on this machine, as any partner may, and waits until it has arrived. */
import type { Command } from 'commander'
import { dataFolderOf, readRunningHavn } from '../../launcher/data-folder.ts'
import { addressOf, readStartSettings } from '../../launcher/start-settings.ts'
import {
  type ClockMove,
  createHavnClient,
  type HavnClient,
  HavnConnectionError,
  moveClock,
  type SandboxClock,
} from '../../sdk/index.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

export function addClockCommands(group: Command): void {
  declare(group, 'show', 'print business time, wall time, and the target of a move in progress').action(
    async (credentials: Credentials) =>
      print(await (await clientOf(credentials)).getSandboxClock().catch(rethrowWithAdvice)),
  )
  declare(group, 'advance', 'move business time ahead, for example by PT2H or P1D')
    .argument('<duration>')
    .action((advance: string, credentials: Credentials) => printMove(credentials, { advance }))
  declare(group, 'set', 'move business time to an instant, for example 2027-01-04T09:00:00Z')
    .argument('<instant>')
    .action((set: string, credentials: Credentials) => printMove(credentials, { set }))
  declare(group, 'reset', 'reset business time to wall time').action((credentials: Credentials) =>
    printMove(credentials, { reset: true }),
  )
}

function declare(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .option('--client-id <id>', 'a partner of the sandbox', 'demo-partner')
    .option('--client-secret <secret>', 'its secret', 'demo-partner-secret')
}

/** Prints how far a long move has come until it has ended. */
async function printMove(credentials: Credentials, move: ClockMove): Promise<void> {
  print(await moveClock(await clientOf(credentials), move, print).catch(rethrowWithAdvice))
}

/** At the port of HAVN_PORT; without it, that of the `npm start` in this folder, whatever its port is. */
async function clientOf(credentials: Credentials): Promise<HavnClient> {
  const { ports } = readStartSettings(process.env)
  const isGiven = (process.env['HAVN_PORT']?.trim() ?? '') !== ''
  const running = isGiven ? undefined : await readRunningHavn(dataFolderOf(process.env))
  const baseUrl = running?.gatewayUrl ?? addressOf(ports.gateway)
  return createHavnClient({ baseUrl, environment: 'sandbox', ...credentials })
}

function rethrowWithAdvice(error: unknown): never {
  throw error instanceof HavnConnectionError
    ? new Error(`${error.message}. Run npm start first, or set HAVN_PORT to its port`, { cause: error })
    : error
}

function print({ now, real, movingTo }: SandboxClock): void {
  const target = movingTo === undefined ? '' : `, moving to ${movingTo}`
  console.log(`business time ${now}${target} (wall time ${real})`)
}

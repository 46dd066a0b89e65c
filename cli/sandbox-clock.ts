/** `havn clock`: reads and moves the clock of the sandbox on this machine, as any partner may, and waits until it has arrived. */
import { addressOf, readStartSettings } from '../launcher/start-settings.ts'
import { type ClockMove, createHavnClient, type HavnClient, moveClock, type SandboxClock } from '../sdk/index.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

export async function printClock(environment: NodeJS.ProcessEnv, credentials: Credentials): Promise<void> {
  print(await clientOf(environment, credentials).getSandboxClock())
}

/** Prints how far a long move has come until it has ended. */
export async function printMove(
  environment: NodeJS.ProcessEnv,
  credentials: Credentials,
  move: ClockMove,
): Promise<void> {
  print(await moveClock(clientOf(environment, credentials), move, print))
}

function clientOf(environment: NodeJS.ProcessEnv, credentials: Credentials): HavnClient {
  const { ports } = readStartSettings(environment)
  return createHavnClient({ baseUrl: addressOf(ports.gateway), environment: 'sandbox', ...credentials })
}

function print({ now, real, movingTo }: SandboxClock): void {
  const target = movingTo === undefined ? '' : `, moving to ${movingTo}`
  console.log(`business time ${now}${target} (wall time ${real})`)
}

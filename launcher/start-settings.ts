/** Reads the settings of `npm start`: ports, the data folder, and an external database. */
import { resolve } from 'node:path'
import sandbox from '../data/sandbox-directory.json' with { type: 'json' }
import { LOOPBACK, type Port } from './free-ports.ts'

type PortName =
  | 'gateway'
  | 'sandboxBank'
  | 'sandboxXs2a'
  | 'sandboxIdentity'
  | 'sandboxIdentityControl'
  | 'sandboxFx'
  | 'sandboxFxControl'
  | 'sandboxInbox'

/** Settings of the supervisor. */
export type StartSettings = {
  readonly dataDir: string
  /** An external database; without one the embedded PostgreSQL is started. */
  readonly databaseUrl: string | undefined
  /** Networks that deliveries may reach although they are not public. */
  readonly webhookNetworks: string
  readonly webhookHttp: string
  /** The port of the worker's operator endpoints; 0 chooses any free port. */
  readonly workerPort: Port
  readonly ports: Readonly<Record<PortName, Port>>
}

/** A partner's endpoint under development runs on this machine. */
const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128'
const PORT_MAX = 65_535
const LAST_FIRST_BANK_PORT = PORT_MAX - sandbox.banks.length + 1

/** Reads the settings; throws one error that lists all errors. */
export function readStartSettings(environment: NodeJS.ProcessEnv): StartSettings {
  const errors: string[] = []
  const port = (program: string, variable: string, otherwise: number, [least, most] = [1, PORT_MAX]): Port => {
    const text = environment[variable]?.trim() || String(otherwise)
    const number = /^\d{1,5}$/.test(text) ? Number(text) : -1
    if (number < least || number > most) {
      errors.push(`${variable} must be a port from ${least} to ${most}, not "${text}"`)
    }
    return { program, variable, number }
  }
  const settings: StartSettings = {
    dataDir: resolve(environment['HAVN_DATA_DIR']?.trim() || '.havn'),
    databaseUrl: environment['DATABASE_URL']?.trim() || undefined,
    webhookNetworks: environment['HAVN_WEBHOOK_ALLOWED_NETWORKS']?.trim() || LOOPBACK_NETWORKS,
    webhookHttp: environment['HAVN_WEBHOOK_HTTP']?.trim() || '1',
    workerPort: port('the worker', 'HAVN_WORKER_PORT', 0, [0, PORT_MAX]),
    ports: {
      gateway: port('the gateway', 'HAVN_PORT', 8080),
      sandboxBank: port("the sandbox bank's pages", 'HAVN_SANDBOX_BANK_PORT', 8081),
      sandboxXs2a: port("the sandbox banks' XS2A", 'HAVN_SANDBOX_XS2A_PORT', 8101, [1, LAST_FIRST_BANK_PORT]),
      sandboxIdentity: port("the sandbox's identity provider", 'HAVN_SANDBOX_IDENTITY_PORT', 8084),
      sandboxIdentityControl: port("the identity provider's control API", 'HAVN_SANDBOX_IDENTITY_CONTROL_PORT', 8094),
      sandboxFx: port("the sandbox's provider of exchange", 'HAVN_SANDBOX_FX_PORT', 8085),
      sandboxFxControl: port("the FX provider's control API", 'HAVN_SANDBOX_FX_CONTROL_PORT', 8095),
      sandboxInbox: port("the sandbox's webhook inbox", 'HAVN_SANDBOX_INBOX_PORT', 8086),
    },
  }
  const ports = portsOf(settings)
  for (const [index, { variable, number }] of ports.entries()) {
    const duplicate = ports.findIndex((other) => other.number === number)
    if (duplicate < index && number > 0) {
      errors.push(`${variable} and ${ports[duplicate]?.variable} are both ${number}`)
    }
  }
  if (errors.length > 0) {
    throw new Error(`Invalid settings:\n${errors.map((error) => `  - ${error}`).join('\n')}`)
  }
  return settings
}

/** Every port; each sandbox bank has its own, from that of the first bank on. */
export function portsOf({ ports, workerPort }: StartSettings): readonly Port[] {
  const { sandboxXs2a, ...others } = ports
  const banks = sandbox.banks.map((_bank, index) => ({ ...sandboxXs2a, number: sandboxXs2a.number + index }))
  return [...Object.values(others), ...banks, workerPort]
}

/** The URL of a port on this machine. */
export function addressOf(port: Port): string {
  return `http://${LOOPBACK}:${port.number}`
}

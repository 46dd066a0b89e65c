/** Runs a gateway and a worker as processes that a test kills together with their PostgreSQL, and the host that goes on. */
import { startOwnPostgres } from '../database/own-postgres.ts'
import { eventually } from './eventually.ts'
import { freePorts } from './free-ports.ts'
import { endProcess, startProcess } from './role-process.ts'
import { startOnBankDay } from './start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

export type CrashableHavn = {
  /** The other host of the installation, in the test's process, and the bank. */
  readonly gateway: TestGateway
  /** `fetch` for paths of the gateway that is killed. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Kills gateway, worker and PostgreSQL, and starts PostgreSQL again; what was leased is due at once. */
  killEverything(): Promise<void>
  close(): Promise<void>
}

/** As after the time for which killed processes have leased rows, and after which recovery takes over a request. */
const LEASES_EXPIRE = `
  update payments set lease_until = null, recover_at = case when recover_at is not null then to_timestamp(0) end
  where lease_until is not null or recover_at is not null;
  update payrolls set lease_until = null where lease_until is not null`

/** Starts everything. Banks send their notifications to the other host. */
export async function startCrashableHavn(): Promise<CrashableHavn> {
  const postgres = await startOwnPostgres({ synchronous_commit: 'on' })
  await startOnBankDay(postgres.connectionString)
  const gateway = await startTestGateway({ settings: { DATABASE_URL: postgres.connectionString } })
  const { config, context, bank } = gateway
  const [port] = await freePorts(1)
  const settings = {
    HAVN_HOST: config.host,
    HAVN_PORT: String(port),
    HAVN_BASE_URL: config.baseUrl,
    HAVN_AUTH_URL: config.authUrl,
    HAVN_SANDBOX_BANK_URL: bank.pagesUrl,
    HAVN_SANDBOX_XS2A_URL: bank.xs2aUrl,
  }
  const processes = await Promise.all(
    (['gateway', 'worker'] as const).map((role) => startProcess(role, config, { settings })),
  )
  const killProcesses = () => Promise.all(processes.map((child) => endProcess(child, 'SIGKILL')))
  return {
    gateway,
    fetch: (path, init) => fetch(`http://${config.host}:${port}${path}`, init),
    killEverything: async () => {
      await Promise.all([killProcesses(), postgres.kill()])
      await postgres.start()
      // The first statements may still meet connections that have ended.
      await eventually(() => context.database.pool.query(LEASES_EXPIRE))
    },
    close: async () => {
      await killProcesses()
      await gateway.close()
      await postgres.close()
    },
  }
}

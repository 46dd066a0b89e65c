/** Starts a gateway for the clients as `npm start` does: processes and database of its own, on free ports. */
import { havnProcesses } from '../../gateway/testing/gateway/havn-processes.ts'
import type { ClientGateway } from './client-step.ts'

/** Clients receive deliveries of webhooks on this machine. */
const WEBHOOK_SETTINGS = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_HTTP: '1' }
const DEMO_PARTNER = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }

/** Ready when it resolves. `close` ends its processes and deletes its data. */
export async function startClientGateway(): Promise<ClientGateway & { close(): Promise<void> }> {
  const processes = await havnProcesses(WEBHOOK_SETTINGS)
  try {
    await processes.start()
  } catch (error) {
    await processes.close()
    throw error
  }
  return { ...DEMO_PARTNER, url: processes.url, close: () => processes.close() }
}

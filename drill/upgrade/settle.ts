/** Lets time pass until everything that the partner has ordered is final and every event is delivered. */
import { waitUntil } from '../../launcher/processes.ts'
import { type HavnClient, moveClock } from '../../sdk/index.ts'
import type { Installation } from './installation.ts'

/** A week; what is open then is found by the checks. */
const HALF_DAYS_MAX = 14
const DELIVERED_WITHIN_MILLISECONDS = 60_000

export async function settle(client: HavnClient, { server }: Installation): Promise<void> {
  const has = async (rows: string) => (await server.query(`select from ${rows} limit 1`)).length > 0
  const isOpen = () => has(`payments where status not in ('Completed', 'Cancelled', 'Rejected')`)
  for (let moves = 0; moves < HALF_DAYS_MAX && (await isOpen()); moves += 1) {
    await moveClock(client, { advance: 'PT12H' })
  }
  await waitUntil(
    async () => !(await has('webhook_deliveries where due_at is not null')),
    DELIVERED_WITHIN_MILLISECONDS,
  )
}

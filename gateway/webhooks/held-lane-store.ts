/** The statements that make a worker the only one that delivers what waits in a lane, and that leave it to others again. */
import type { Database } from '../platform/database/database.ts'
import type { Lane } from './deliveries/delivery-queue-store.ts'

/** Whoever dies keeps its lanes from others for so long; whoever lives says again and again that it does. */
export const HOLD_SECONDS = 6

/** Those of lanes that a worker has, locked in the order in which they are held. */
const LANES_IN_ORDER = `
  select l.partner_id, l.origin from unnest($1::uuid[], $2::text[]) as a(partner_id, origin)
  join webhook_lanes l on l.partner_id = a.partner_id and l.origin = a.origin
  where l.worker = $3::uuid order by l.partner_id, l.origin for update of l`

/**
 * Holds lanes for a worker that has them already, that nobody has, or whose worker has not been heard of; answers those.
 * By the database's clock, because those of workers may differ. In one order, so that workers never wait in a circle.
 */
export async function holdLanes(
  { pool }: Database<unknown>,
  worker: string,
  lanes: readonly Lane[],
): Promise<readonly Lane[]> {
  const { rows } = await pool.query<Lane>({
    text: `
      insert into webhook_lanes as l (partner_id, origin, worker, held_until)
      select partner_id, origin, $3::uuid, statement_timestamp() + interval '${HOLD_SECONDS} seconds'
      from unnest($1::uuid[], $2::text[]) as a(partner_id, origin) order by partner_id, origin
      on conflict (partner_id, origin) do update set worker = excluded.worker, held_until = excluded.held_until
      where l.worker = excluded.worker or l.held_until < statement_timestamp()
      returning partner_id as "partnerId", origin`,
    values: valuesOf(worker, lanes),
  })
  return rows
}

/** Goes on holding those of these lanes that nobody has had since; answers them. */
export async function holdOn(
  { pool }: Database<unknown>,
  worker: string,
  lanes: readonly Lane[],
): Promise<readonly Lane[]> {
  const { rows } = await pool.query<Lane>({
    text: `
      with mine as (${LANES_IN_ORDER})
      update webhook_lanes l set held_until = statement_timestamp() + interval '${HOLD_SECONDS} seconds'
      from mine m where l.partner_id = m.partner_id and l.origin = m.origin
      returning l.partner_id as "partnerId", l.origin`,
    values: valuesOf(worker, lanes),
  })
  return rows
}

/** Leaves lanes to whoever asks next, unless somebody else has them by now. */
export async function leaveLanes({ pool }: Database<unknown>, worker: string, lanes: readonly Lane[]): Promise<void> {
  await pool.query({
    text: `
      with mine as (${LANES_IN_ORDER})
      delete from webhook_lanes l using mine m where l.partner_id = m.partner_id and l.origin = m.origin`,
    values: valuesOf(worker, lanes),
  })
}

/** Forgets lanes that nobody has held for a day. */
export async function forgetLanes({ pool }: Database<unknown>): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from webhook_lanes where held_until < statement_timestamp() - interval '1 day'`,
  )
  return rowCount ?? 0
}

function valuesOf(worker: string, lanes: readonly Lane[]): [string[], string[], string] {
  return [lanes.map(({ partnerId }) => partnerId), lanes.map(({ origin }) => origin), worker]
}

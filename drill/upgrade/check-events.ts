/** Checks that every event was delivered once, in the order of its subject. */
import type { Installation } from './installation.ts'

/** A recorded event with its body as delivered. */
export type StoredEvent = {
  readonly id: string
  readonly subjectId: string
  readonly type: string
  readonly body: string
}

/** By the events that are stored and the deliveries that have arrived. */
export async function checkEvents({ server, receiver }: Installation): Promise<readonly string[]> {
  const events = await server.query<StoredEvent>(
    'select id, subject_id as "subjectId", type, body from events order by partner_id, position',
  )
  const delivered = receiver.received.map(({ body }) => String(JSON.parse(body.toString()).id))
  return findDeliveryFaults(events, delivered)
}

/** Both in their order: events as recorded, ids of events as they arrived. */
export function findDeliveryFaults(events: readonly StoredEvent[], delivered: readonly string[]): readonly string[] {
  const stored = new Map(events.map((event) => [event.id, event]))
  const times = [...Map.groupBy(delivered, (id) => id)]
  const arrived = new Set(delivered)
  const nameOf = (id: string) => `${stored.get(id)?.type} ${id}`
  return [
    ...times
      .filter(([, same]) => same.length > 1)
      .map(([id, same]) => `${nameOf(id)} was delivered ${same.length} times`),
    ...events.filter(({ id }) => !arrived.has(id)).map(({ id }) => `${nameOf(id)} was not delivered`),
    ...[...arrived].filter((id) => !stored.has(id)).map((id) => `${id} was delivered, and is not stored`),
    ...repeatedChanges(events),
    ...overtaken(events, delivered),
  ]
}

/** The same change under two ids would be processed twice by its receiver. */
function repeatedChanges(events: readonly StoredEvent[]): readonly string[] {
  const changeOf = ({ type, subjectId, body }: StoredEvent) =>
    `${type} of ${subjectId}: ${JSON.stringify(JSON.parse(body).data)}`
  return [...Map.groupBy(events, changeOf)]
    .filter(([, same]) => same.length > 1)
    .map(([change, same]) => `${same.length} events report the same: ${change}`)
}

/** Of one subject, events must arrive in the order in which they were recorded. */
function overtaken(events: readonly StoredEvent[], delivered: readonly string[]): readonly string[] {
  const arrival = new Map<string, number>()
  for (const [index, id] of delivered.entries()) {
    arrival.set(id, arrival.get(id) ?? index)
  }
  const subjects = Map.groupBy(
    events.filter(({ id }) => arrival.has(id)),
    ({ subjectId }) => subjectId,
  )
  return [...subjects.values()].flatMap((ofSubject) =>
    ofSubject.flatMap(({ id, type, subjectId }, index) => {
      const before = ofSubject[index - 1]
      const isLate = before !== undefined && (arrival.get(before.id) ?? 0) > (arrival.get(id) ?? 0)
      return isLate ? [`${type} of ${subjectId} arrived before ${before.type}, which was recorded first`] : []
    }),
  )
}

/** Positions in lists that are newest first: the time and id of the last row of a page. */

export type ListPosition = { readonly createdAt: Temporal.Instant; readonly id: string }

const POSITION = /^(\d{1,16})_([0-9a-f-]{36})$/

/** As it is in the URL of the next page. */
export function formatPosition({ createdAt, id }: ListPosition): string {
  return `${createdAt.epochNanoseconds / 1_000n}_${id}`
}

/** Undefined for a text that is no position. */
export function parsePosition(text: string): ListPosition | undefined {
  const [, microseconds = '', id = ''] = POSITION.exec(text) ?? []
  return id === '' ? undefined : { createdAt: Temporal.Instant.fromEpochNanoseconds(BigInt(microseconds) * 1_000n), id }
}

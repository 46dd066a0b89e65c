/** Finds the conversion that inbound funds are for. */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Conversion } from '../tables.ts'

/** The conversion with this reference; `text` is in capitals and without separators. */
export async function findConversionByReference(
  { database }: Context,
  { currency, text }: { readonly currency: string; readonly text: string },
): Promise<Conversion | undefined> {
  return await database.query
    .selectFrom('conversions')
    .selectAll()
    .where('sell_currency', '=', currency)
    .where(sql<boolean>`exists (select from unnest(names) as name where position(name in ${text}) > 0)`)
    .orderBy('position', 'desc')
    .executeTakeFirst()
}

/** The oldest conversion without a reference of its client that awaits exactly this amount. */
export async function findUnreferencedConversion(
  { database }: Context,
  { currency, minor }: { readonly currency: string; readonly minor: bigint },
): Promise<Conversion | undefined> {
  return await database.query
    .selectFrom('conversions')
    .selectAll()
    .where('status', '=', 'awaiting_funds')
    .where('sell_currency', '=', currency)
    .where('sell_minor', '=', minor)
    .where(sql<boolean>`cardinality(names) = 0`)
    .orderBy('position')
    .executeTakeFirst()
}

/** The amount received for a conversion so far, in minor units of the sold currency. */
export async function sumReceivedFor({ database }: Context, conversionId: string): Promise<bigint> {
  const rows = await database.query
    .selectFrom('arrivals')
    .select('amount_minor')
    .where('conversion_id', '=', conversionId)
    .where('status', '=', 'completed')
    .execute()
  return rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

/** Shorter sequences may occur in any reference. */
const CHARACTERS_MIN = 8
const SEPARATORS = /[^A-Z0-9]/g

/** Codes are returned in capitals, as they are compared. */
export function referenceCodesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/)
  return words.filter((word) => word.length >= CHARACTERS_MIN && /[0-9]/.test(word) && /[A-Z]/.test(word))
}

/** Removes the blanks and hyphens with which a sender may have typed a reference. */
export function withoutSeparators(text: string): string {
  return text.toUpperCase().replace(SEPARATORS, '')
}

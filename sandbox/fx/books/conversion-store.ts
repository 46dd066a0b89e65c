/** Finds the conversion that inbound funds are for. */

import { sql } from 'kysely'
import { selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Conversion } from '../tables.ts'

/** The conversion with this reference; `text` is in capitals and without separators. */
export async function findConversionByReference(
  context: Context,
  { currency, text }: { readonly currency: string; readonly text: string },
): Promise<Conversion | undefined> {
  const where = [sql<boolean>`exists (select from unnest(names) as name where position(name in ${text}) > 0)`]
  const newest = { where, order: ['position'], isDescending: true, limit: 1 } as const
  const [found] = await selectRows(context, 'conversions', { sell_currency: currency }, newest)
  return found
}

/** The oldest conversion without a reference of its client that awaits exactly this amount. */
export async function findUnreferencedConversion(
  context: Context,
  { currency, minor }: { readonly currency: string; readonly minor: bigint },
): Promise<Conversion | undefined> {
  const values = { status: 'awaiting_funds', sell_currency: currency, sell_minor: minor } as const
  const oldest = { where: [sql<boolean>`cardinality(names) = 0`], order: ['position'], limit: 1 } as const
  const [found] = await selectRows(context, 'conversions', values, oldest)
  return found
}

/** The amount received for a conversion so far, in minor units of the sold currency. */
export async function sumReceivedFor(context: Context, conversionId: string): Promise<bigint> {
  const rows = await selectRows(context, 'arrivals', { conversion_id: conversionId, status: 'completed' })
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

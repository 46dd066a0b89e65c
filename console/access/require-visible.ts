/** Finds the row that a path names, if the user may see it. */
import type { Context } from '../../gateway/context.ts'
import { findPartnerRow, type PartnerRow, type PartnerRows } from '../../gateway/partners/partner-rows.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { partnerFilterOf, type Viewer } from './viewer.ts'

/** Throws `not-found` for an unknown id and for a row of a foreign partner, which look the same. */
export async function requireVisible(
  { database }: Context,
  viewer: Viewer,
  rows: PartnerRows,
  id = '',
): Promise<PartnerRow> {
  const found = await findPartnerRow(database, rows, partnerFilterOf(viewer), id)
  if (found === undefined) {
    throw apiError('not-found', `There is no ${rows.noun} with this id`)
  }
  return found
}

/** The filter by partner, which operators have. */
import { findPartnerById, listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import type { Partner } from '../../gateway/partners/partner.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { FilterField } from './filter-form.ts'
import type { FilterReader } from './filter-reader.ts'

/** The name of the field in URLs. */
export const PARTNER_PARAMETER = 'partner'

/** A choice of all partners or one; nothing for users of a partner. */
export async function partnerFields(context: Context, { session }: Viewer): Promise<readonly FilterField[]> {
  if (session.partnerId !== null) {
    return []
  }
  const partners = await listPartnersWithClients(context)
  const all = { value: '', label: consoleText('filters.allPartners') }
  const choices = [all, ...partners.map(({ partner: { id, name } }) => ({ value: id, label: name }))]
  return [{ name: PARTNER_PARAMETER, label: consoleText('filters.partner'), choices }]
}

/** The partner that a form is about: the user's own, or the one that an operator chose; undefined without one. */
export async function findPartnerOfForm(
  context: Context,
  { viewer, form }: ConsoleRequest,
): Promise<Partner | undefined> {
  const chosen = partnerFilterOf(viewer, form.text(PARTNER_PARAMETER))
  return chosen === null || !isId(chosen) ? undefined : await findPartnerById(context, chosen)
}

/** Whose rows a list shows: those of the chosen partner; null is every partner. */
export function chosenPartner(filters: FilterReader, viewer: Viewer): string | null {
  return partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER))
}

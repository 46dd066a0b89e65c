/** `havn consent list`: prints the consents of the partner. */
import { tableOf } from '../../operator/print-table.ts'
import type { Context } from '../context.ts'
import { acceptedConsents, matchingConsents } from './choose-consent.ts'

export type ListedConsents = { readonly company?: string; readonly bank?: string; readonly all?: boolean }

export async function listConsentsCommand(
  { connect, output }: Context,
  { all, ...options }: ListedConsents,
): Promise<void> {
  const find = all === true ? matchingConsents : acceptedConsents
  const consents = await find(await connect(), options)
  const rows = consents.map(({ id, status, bic, organizationNumber, userIdMasked, validUntil }) => [
    id,
    status,
    bic,
    organizationNumber,
    userIdMasked ?? '',
    validUntil.slice(0, 10),
  ])
  const whenEmpty = `There are no ${all === true ? '' : 'accepted '}consents.\nNext: havn consent create`
  output.result(consents, tableOf(['consent', 'status', 'bank', 'company', 'user', 'valid until'], rows, whenEmpty))
}

/** `havn consent list`: prints the consents of the partner. */
import { tableOf } from '../../operator/print-table.ts'
import type { DeveloperContext } from '../developer-context.ts'

export type ListedConsents = { readonly company?: string; readonly bank?: string; readonly all?: boolean }

export async function listConsentsCommand(
  { connect, output }: DeveloperContext,
  { company, bank, all }: ListedConsents,
): Promise<void> {
  const { havn } = await connect()
  const query = company === undefined ? {} : { organizationNumber: company }
  const consents = (await havn.listConsents({ query })).filter(
    ({ status, bic }) => (all === true || status === 'ACCEPTED') && (bank === undefined || bic === bank.toUpperCase()),
  )
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

/** Probes a bank of the directory, enabled or not, with read-only calls that show which settings its profile needs. */
import { spellingsOfBic } from '../../countries/bic.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ConnectorDependencies } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import type { BankProfiles } from './bank-profile-files.ts'
import { selectBanks } from './bank-store.ts'
import { connectorKind } from './connector-registry.ts'
import { resolveBank } from './directory-entry.ts'

/** With `certificate` under another pair of certificates than the bank's. */
export type BankProbeOptions = ProbeOptions & { readonly certificate?: string | undefined }

type Dependencies = {
  readonly database: Database<unknown>
  readonly profiles: Pick<BankProfiles, 'current'>
  readonly tools: ConnectorDependencies
}

/** Returns the report. Throws the reason when the bank cannot be probed; `BankError` when it cannot be reached. */
export async function probeBank(
  { database, profiles, tools }: Dependencies,
  bic: string,
  { certificate, ...options }: BankProbeOptions,
): Promise<ProbeReport> {
  const row = (await selectBanks(database)).find((candidate) => spellingsOfBic(bic).includes(candidate.bic))
  if (row === undefined) {
    throw new Error(`${bic} is not in the directory: add it first with "havn bank put ${bic} … --disabled"`)
  }
  const found = resolveBank(row, await profiles.current())
  if ('fault' in found) {
    throw new Error(`Bank ${bic} cannot be probed: ${found.fault}`)
  }
  const probe = connectorKind(row.connector)?.probe
  if (probe === undefined) {
    throw new Error(`Bank ${bic} cannot be probed: its connector ${row.connector} does not support probing`)
  }
  const bank = certificate === undefined ? found.bank : { ...found.bank, certificate }
  return await probe(tools, bank, options)
}

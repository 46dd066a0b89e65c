/** Probes a bank of the directory, be it in use or not: harmless calls that show which settings its profile needs. */
import type { Database } from '../../platform/database/database.ts'
import type { ConnectorTools } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import { connectorKind } from '../connectors.ts'
import type { BankProfiles } from './bank-profile-files.ts'
import { selectBanks } from './bank-store.ts'
import { bankOf } from './directory-entry.ts'

type Surroundings = {
  readonly database: Database<unknown>
  readonly profiles: Pick<BankProfiles, 'current'>
  readonly tools: ConnectorTools
}

/** Throws what keeps the bank from being probed; `BankRefusal` where it cannot be reached. */
export async function probeBank(
  { database, profiles, tools }: Surroundings,
  bic: string,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const row = (await selectBanks(database)).find((candidate) => candidate.bic === bic)
  if (row === undefined) {
    throw new Error(`${bic} is not in the directory: put it there first, with "havn bank put ${bic} … --disabled"`)
  }
  const found = bankOf(row, await profiles.current())
  if ('fault' in found) {
    throw new Error(`Bank ${bic} cannot be probed: ${found.fault}`)
  }
  const probe = connectorKind(row.connector)?.probe
  if (probe === undefined) {
    throw new Error(`Bank ${bic} cannot be probed: it is spoken to by ${row.connector}, which asks no questions`)
  }
  return await probe(tools, found.bank, options)
}

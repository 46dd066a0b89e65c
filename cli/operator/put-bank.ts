/** `havn bank put`: creates or updates a bank in the directory. */

import { listNamedPairs } from '../../gateway/banks/certificates/certificate-files.ts'
import { openBankProfiles } from '../../gateway/banks/directory/bank-profile-files.ts'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { readBankProfilesFolder, readCertificateSettings } from '../../gateway/config/config.ts'
import { NO_PARTNER } from '../../gateway/operators/audit-entry.ts'
import { writeAuditEntry } from '../../gateway/operators/write-audit-entry.ts'
import { plainCode } from '../../gateway/platform/copied-text.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'

/** Only the errors of the requested profile are reported. */
const SILENT = { error: () => undefined }

export type BankArguments = {
  readonly name: string
  readonly country: string
  readonly connector: string
  readonly profile: string
  readonly address: string
  readonly linkHost: readonly string[]
  readonly certificate?: string
  readonly disabled?: boolean
}

/** Creates or updates a bank in the directory. */
export async function putBankCommand(
  context: ProgramContext,
  actor: string,
  bic: string,
  typed: BankArguments,
): Promise<void> {
  const { country, linkHost, disabled, ...rest } = typed
  const bank = {
    ...rest,
    bic: plainCode(bic),
    countryCode: country.toUpperCase(),
    // By default a bank's links have the host of its API.
    linkHosts: linkHost.length > 0 ? linkHost : [new URL(typed.address).host],
    enabled: disabled !== true,
  }
  const folder = readBankProfilesFolder(process.env)
  const profiles = await openBankProfiles(folder, SILENT)
  const fault = profiles.faultOf(bank.profile)
  if (fault !== undefined) {
    throw new Error(fault)
  }
  await requireCertificate(bank.certificate)
  const known = await profiles.current()
  await inTransaction(context, async (context) => {
    await putBank(context.database, known, bank)
    const { bic: id, ...detail } = bank
    const entry = { partnerId: NO_PARTNER, actor, action: 'bank created or updated', detail }
    await writeAuditEntry(context, { ...entry, subject: ['bank', id] })
  })
  console.log(`${bank.bic} is in the directory; running programs use it within five seconds.`)
  if (folder !== null && profiles.isOfOperator(bank.profile)) {
    console.log(`They read its profile from the folder that HAVN_BANK_PROFILES_DIR names for them: ${folder} here.`)
  }
}

/** As far as the folder is configured here, too: running programs read that of their own setting. */
async function requireCertificate(name: string | undefined): Promise<void> {
  const { certificatesFolder: folder } = readCertificateSettings(process.env)
  const names = (await listNamedPairs(folder)).map((pair) => pair.name)
  if (name !== undefined && folder !== null && !names.includes(name)) {
    throw new Error(`There are no certificates ${name} in ${folder}; it has ${names.join(', ') || 'none'}`)
  }
}

/** `havn bank`: the directory of banks. */

import { openBankProfiles } from '../../gateway/banks/directory/bank-profile-files.ts'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { showEntries } from '../../gateway/banks/show-entries.ts'
import { readBankProfilesFolder } from '../../gateway/config/config.ts'
import { NO_PARTNER } from '../../gateway/operators/audit-entry.ts'
import { writeAudit } from '../../gateway/operators/write-audit-entry.ts'
import { atomically } from '../../gateway/platform/database/in-transaction.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** What is wrong with profiles is told of the one that is asked for. */
const SILENT = { error: () => undefined }

/** What the operator says of a bank. */
export type BankTyped = {
  readonly name: string
  readonly country: string
  readonly connector: string
  readonly profile: string
  readonly address: string
  readonly linkHost: readonly string[]
  readonly disabled?: boolean
}

/** Puts a bank into the directory, or changes it. */
export async function putTypedBank(
  { database, clock }: Surroundings,
  actor: string,
  bic: string,
  typed: BankTyped,
): Promise<void> {
  const { country, linkHost, disabled, ...rest } = typed
  const bank = {
    ...rest,
    bic: bic.toUpperCase(),
    countryCode: country.toUpperCase(),
    // A bank without hosts of its own for links has them where its interface is.
    linkHosts: linkHost.length > 0 ? linkHost : [new URL(typed.address).host],
    enabled: disabled !== true,
  }
  const folder = readBankProfilesFolder(process.env)
  const profiles = await openBankProfiles(folder, SILENT)
  const fault = profiles.faultOf(bank.profile)
  if (fault !== undefined) {
    throw new Error(fault)
  }
  const known = await profiles.current()
  await atomically(database, async (within) => {
    await putBank(within, known, bank)
    const { bic: id, ...detail } = bank
    const entry = { partnerId: NO_PARTNER, actor, action: 'bank put into the directory', detail }
    await writeAudit({ database: within, clock }, { ...entry, subject: ['bank', id] })
  })
  console.log(`${bank.bic} is in the directory; running programs know it within five seconds.`)
  if (folder !== null && profiles.isOfOperator(bank.profile)) {
    console.log(`They read its profile from the folder that HAVN_BANK_PROFILES_DIR names for them: ${folder} here.`)
  }
}

/** Prints every bank and how it has answered of late. */
export async function printBanks({ database, clock }: Surroundings): Promise<void> {
  const entries = await showEntries(database, clock)
  const rows = entries.map(({ row, status }) => [
    row.bic,
    row.country_code,
    row.name,
    row.profile,
    row.enabled ? status : 'disabled',
    row.address,
  ])
  console.log(
    tableOf(
      ['bic', 'country', 'name', 'profile', 'state', 'address'],
      rows,
      'The directory has no bank; havn bank put adds one.',
    ),
  )
}

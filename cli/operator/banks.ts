/** `havn bank`: changes a bank, and checks, prints and compares profiles. */

import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { listNamedPairs } from '../../gateway/banks/certificates/certificate-files.ts'
import { listDirectoryEntries } from '../../gateway/banks/directory/bank-health.ts'
import { openBankProfiles } from '../../gateway/banks/directory/bank-profile-files.ts'
import {
  type ConnectorKind,
  connectorKind,
  connectorsByName,
} from '../../gateway/banks/directory/connector-registry.ts'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { bankProfileErrors, parseBankProfile } from '../../gateway/banks/directory/validate-bank-profile.ts'
import { readBankProfilesFolder, readCertificateSettings } from '../../gateway/config/config.ts'
import { spellingsOfBic } from '../../gateway/countries/bic.ts'
import { referenceCodeUnsupportedReason } from '../../gateway/fx/quotes/reference-code.ts'
import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { plainCode } from '../../gateway/platform/copied-text.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import type { Given } from './run-operator-command.ts'

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
export async function putBankCommand({ context, actor }: Given, bic: string, typed: BankArguments): Promise<void> {
  const { country, linkHost, disabled, ...rest } = typed
  const bank = {
    ...rest,
    bic: await storedBicOf(context, bic),
    countryCode: country.trim().toUpperCase(),
    // By default a bank's links have the host of its API.
    linkHosts: linkHost.length > 0 ? linkHost : [URL.parse(typed.address)?.host ?? ''],
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
    const entry = { partnerId: NO_PARTNER, actor, action: 'bank created or updated' as const, detail }
    await writeAuditEntry(context, { ...entry, subject: ['bank', id] })
  })
  console.log(`${bank.bic} is in the directory; running programs use it within five seconds.`)
  if (folder !== null && profiles.isOfOperator(bank.profile)) {
    console.log(`They read its profile from the folder that HAVN_BANK_PROFILES_DIR names for them: ${folder} here.`)
  }
}

/** The BIC by which the directory knows the bank, which may be written with or without that of its head office. */
async function storedBicOf({ database, clock }: ProgramContext, bic: string): Promise<string> {
  const known = (await listDirectoryEntries(database, clock)).map(({ row }) => row.bic)
  return spellingsOfBic(bic).find((spelling) => known.includes(spelling)) ?? plainCode(bic)
}

/** As far as the folder is configured here, too: running programs read that of their own setting. */
async function requireCertificate(name: string | undefined): Promise<void> {
  const { certificatesFolder: folder } = readCertificateSettings(process.env)
  const names = (await listNamedPairs(folder)).map((pair) => pair.name)
  if (name !== undefined && folder !== null && !names.includes(name)) {
    throw new Error(`There are no certificates ${name} in ${folder}; it has ${names.join(', ') || 'none'}`)
  }
}

type Checked = { readonly errors: readonly string[]; readonly remarks: readonly string[] }

/** Validates the given files, or the operator's whole folder. Throws when a profile is invalid. */
export async function checkProfiles(named: readonly string[], connector: string): Promise<void> {
  const kind = connectorKind(connector)
  if (kind === undefined) {
    throw new Error(`There is no connector ${connector}; there are ${Object.keys(connectorsByName).join(', ')}`)
  }
  const files = named.length > 0 ? named : await filesOfOperator()
  let invalid = 0
  for (const file of files) {
    const { errors, remarks } = await checkFile(resolve(file), kind)
    console.log(`${file}: ${errors.length === 0 ? 'usable' : 'not usable'}`)
    for (const line of [...errors, ...remarks]) {
      console.log(`  - ${line}`)
    }
    invalid += errors.length === 0 ? 0 : 1
  }
  if (invalid > 0) {
    throw new Error(`Invalid profiles: ${invalid} of ${files.length}. Correct the errors above and check again`)
  }
}

async function filesOfOperator(): Promise<readonly string[]> {
  const folder = readBankProfilesFolder(process.env)
  if (folder === null) {
    throw new Error('Name a file, or set HAVN_BANK_PROFILES_DIR to the folder of your profiles')
  }
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  if (names.length === 0) {
    throw new Error(`No profile in ${folder}: copy one of data/bank-profiles and adapt it`)
  }
  return names.map((name) => join(folder, name))
}

async function checkFile(file: string, kind: ConnectorKind): Promise<Checked> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') {
    return {
      errors: [`cannot be read (${text.code}): name a file that exists and that this user may read`],
      remarks: [],
    }
  }
  const errors = bankProfileErrors(basename(file), text, kind)
  if (errors.length > 0) {
    return { errors, remarks: [] }
  }
  const profile = parseBankProfile(basename(file), text)
  const misfit = referenceCodeUnsupportedReason({ name: 'the bank', profile })
  return { errors, remarks: misfit === undefined ? [] : [`No exchange is paid from this bank. ${misfit}.`] }
}

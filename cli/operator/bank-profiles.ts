/** `havn bank check-profile`: validates bank profiles and prints the errors. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseBankProfile } from '../../gateway/banks/directory/bank-profile.ts'
import { connectorKind, connectorsByName } from '../../gateway/banks/directory/connector-registry.ts'
import { readBankProfilesFolder } from '../../gateway/config/config.ts'
import { referenceCodeUnsupportedReason } from '../../gateway/fx/quotes/reference-code.ts'

type Checked = { readonly faults: readonly string[]; readonly remarks: readonly string[] }

/** Validates the given files, or the operator's whole folder. Throws when a profile is invalid. */
export async function checkProfiles(named: readonly string[], connector: string): Promise<void> {
  const kind = connectorKind(connector)
  if (kind === undefined) {
    throw new Error(`There is no connector ${connector}; there are ${Object.keys(connectorsByName).join(', ')}`)
  }
  const files = named.length > 0 ? named : await filesOfOperator()
  let isSound = true
  for (const file of files) {
    const { faults, remarks } = await checkFile(resolve(file), kind.checkDialect)
    console.log(`${file}: ${faults.length === 0 ? 'usable' : 'not usable'}`)
    for (const line of [...faults, ...remarks]) {
      console.log(`  - ${line}`)
    }
    isSound &&= faults.length === 0
  }
  if (!isSound) {
    throw new Error('A profile is invalid: correct the errors above and check again')
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

async function checkFile(file: string, checkDialect: (dialect: unknown) => unknown): Promise<Checked> {
  try {
    const profile = parseBankProfile(basename(file), await readFile(file, 'utf8'))
    const misfit = referenceCodeUnsupportedReason({ name: 'the bank', profile })
    try {
      checkDialect(profile.dialect)
      return { faults: [], remarks: misfit === undefined ? [] : [`No exchange is paid from this bank. ${misfit}.`] }
    } catch (error) {
      return { faults: reasonsOf(error), remarks: [] }
    }
  } catch (error) {
    return { faults: reasonsOf(error), remarks: [] }
  }
}

/** One line per error. */
function reasonsOf(error: unknown): readonly string[] {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  const listed = /not usable: (.*)$/s.exec(message)?.[1]
  const because = cause instanceof Error ? `: ${cause.message}` : ''
  return listed === undefined ? [`${message}${because}`] : listed.split('; ')
}

/** `havn bank check-profile`: validates bank profiles and prints all their errors. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { bankProfileErrors, parseBankProfile } from '../../gateway/banks/directory/bank-profile.ts'
import {
  type ConnectorKind,
  connectorKind,
  connectorsByName,
} from '../../gateway/banks/directory/connector-registry.ts'
import { readBankProfilesFolder } from '../../gateway/config/config.ts'
import { referenceCodeUnsupportedReason } from '../../gateway/fx/quotes/reference-code.ts'

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

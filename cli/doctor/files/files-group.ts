/** Checks the files that settings name, the bank profiles, and the master key with the data that it encrypts. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openBankProfiles } from '../../../gateway/banks/directory/bank-profile-files.ts'
import { SETTING_VARIABLES } from '../../../gateway/config/config.ts'
import { type CheckGroup, checksOf, type Finding, findingsOf, type HostFacts, type Installation } from '../check.ts'
import { MASTER_KEY_CHECKS, masterKeyFindings } from './master-key-findings.ts'

/** A file, and the setting that names it. */
const { error } = checksOf('operating/keys.md')
type SettingFile = { readonly setting: string; readonly path: string; readonly isSecret: boolean }

const OTHERS_MAY_READ = 0o004
const OTHERS_OR_GROUP_MAY_WRITE = 0o022

export const filesGroup: CheckGroup = {
  title: 'Files and keys',
  isOnline: false,
  checks: {
    'file-unreadable': error('a file that a setting names is missing or cannot be read', 'settings.md#in-production'),
    'key-file-readable': error('a file with a key or a secret can be read by other users'),
    'key-file-writable': error('a file with a key or a secret can be changed by other users'),
    'bank-profile-invalid': error(
      'a bank profile of your own is invalid, or their folder is missing',
      'operating/banks.md#connecting-a-new-bank',
    ),
    ...MASTER_KEY_CHECKS,
  },
  inspect: async (installation) => {
    const { config, database, host } = installation
    const files = await Promise.all(settingFiles(installation).map((file) => fileFindings(file, host)))
    return [
      ...files.flat(),
      ...(await profileFindings(config.bankProfilesFolder)),
      ...(await masterKeyFindings(config.masterKeyFile, database)),
    ]
  },
}

/** All files that settings name, existing or not. */
function settingFiles({ environment, config }: Installation): readonly SettingFile[] {
  const named = SETTING_VARIABLES.flatMap(({ name, file }) => {
    const path = environment[name]?.trim() ?? ''
    return file === undefined || path === '' ? [] : [{ setting: name, path, isSecret: file === 'secret' }]
  })
  const ofProviders = config.identityProviders
    .flatMap(({ clientSecretFile, clientKeyFile }) => [clientSecretFile ?? [], clientKeyFile ?? []].flat())
    .map((path) => ({ setting: 'HAVN_IDENTITY_PROVIDERS', path, isSecret: true }))
  return [...named, ...ofProviders]
}

async function fileFindings({ setting, path, isSecret }: SettingFile, host: HostFacts): Promise<readonly Finding[]> {
  const error = await readFile(path).then(
    () => undefined,
    (reason: unknown) => (reason instanceof Error && 'code' in reason ? String(reason.code) : 'unknown'),
  )
  if (error !== undefined) {
    return [
      {
        check: 'file-unreadable',
        problem: `${path} cannot be read (${error})`,
        where: setting,
        action: `Create the file, correct ${setting}, or let this user read it.`,
      },
    ]
  }
  return isSecret && !(await isMounted(path, host)) ? modeFindings(setting, path, (await stat(path)).mode) : []
}

/** Of a single file that is mounted, as secrets of containers are, a folder outside decides who may read it. */
async function isMounted(path: string, { deviceOf }: HostFacts): Promise<boolean> {
  const file = await realpath(path)
  return (await deviceOf(file)) !== (await deviceOf(dirname(file)))
}

function modeFindings(where: string, path: string, mode: number): readonly Finding[] {
  const octal = (mode & 0o777).toString(8)
  const action = `chmod 600 ${path}`
  return [
    ...findingsOf('key-file-readable', (mode & OTHERS_MAY_READ) !== 0, () => ({
      problem: `Every user of this host can read ${path} (mode ${octal})`,
      where,
      action,
    })),
    ...findingsOf('key-file-writable', (mode & OTHERS_OR_GROUP_MAY_WRITE) !== 0, () => ({
      problem: `Other users can change ${path} (mode ${octal})`,
      where,
      action,
    })),
  ]
}

async function profileFindings(folder: string | null): Promise<readonly Finding[]> {
  const faults: string[] = []
  const log = { error: (first: object | string, second?: string) => void faults.push(faultIn(first, second)) }
  await openBankProfiles(folder, log).catch((error: unknown) => {
    faults.push(error instanceof Error ? error.message : String(error))
  })
  return faults.map((problem) => ({
    check: 'bank-profile-invalid',
    problem,
    where: 'HAVN_BANK_PROFILES_DIR',
    action: 'havn bank check-profile',
  }))
}

function faultIn(first: object | string, second: string | undefined): string {
  const fields = typeof first === 'object' ? Object.values(first).map(String).join(' ') : first
  return [second, fields].filter((text) => text !== undefined).join(': ')
}

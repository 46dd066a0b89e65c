/** Reads the bank profiles of this release and of the operator, whose changed files are read again. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from '../../platform/observability/log.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import { BANK_PROFILES_FOLDER, parseBankProfile, readBankProfiles } from './validate-bank-profile.ts'

/** The profiles with the current content of their files. */
export type BankProfiles = {
  /** By name. The map and its profiles keep their identity until a file changes. */
  current(): Promise<ReadonlyMap<string, BankProfile>>
  /** Why the current file of a profile is invalid; undefined when it is valid or does not exist. */
  faultOf(name: string): string | undefined
  /** Whether the profile is in the operator's folder. */
  isOfOperator(name: string): boolean
}

type ReadFile = {
  /** Changes with the file. */
  readonly version: string
  /** The last valid version: an error in a file does not take a bank out of service. */
  readonly profile: BankProfile | undefined
  readonly fault: string | undefined
}

/**
 * Opens both folders. A profile of the operator replaces a shipped one with the same name. Throws when a shipped
 * profile is invalid or the operator's folder is unreadable; errors in the operator's files are logged once per version.
 */
export async function openBankProfiles(operatorFolder: string | null, log: Pick<Log, 'error'>): Promise<BankProfiles> {
  const shipped = await readBankProfiles(BANK_PROFILES_FOLDER)
  if (operatorFolder === null) {
    return { current: async () => shipped, faultOf: () => undefined, isOfOperator: () => false }
  }
  const folder = pathToFileURL(`${resolve(operatorFolder)}/`)
  let files: ReadonlyMap<string, ReadFile> = new Map()
  let profiles = shipped
  const reload = async () => {
    const now = await readFolder(folder, files)
    const changed = [...now].flatMap(([name, file]) => (files.get(name) === file ? [] : file))
    if (changed.length > 0 || now.size !== files.size) {
      files = now
      const own = [...files.values()].flatMap(({ profile }) => profile ?? [])
      profiles = new Map([...shipped, ...own.map((profile) => [profile.name, profile] as const)])
    }
    for (const fault of changed.flatMap((file) => file.fault ?? [])) {
      log.error({ fault }, 'invalid bank profile; the last valid version stays in use')
    }
  }
  await reload().catch((cause: unknown) => {
    throw new Error(`HAVN_BANK_PROFILES_DIR names ${folder.pathname}, which cannot be read: create the folder`, {
      cause,
    })
  })
  return {
    current: async () => {
      await reload().catch((error: unknown) => {
        const text = 'the bank profiles cannot be reloaded; the loaded ones stay in use'
        log.error({ folder: folder.pathname, error }, text)
      })
      return profiles
    },
    faultOf: (name) => files.get(`${name}.json`)?.fault,
    isOfOperator: (name) => files.has(`${name}.json`),
  }
}

async function readFolder(
  folder: URL,
  previous: ReadonlyMap<string, ReadFile>,
): Promise<ReadonlyMap<string, ReadFile>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const files = await Promise.all(
    names.map(async (name) => {
      const file = await readProfile(folder, name, previous.get(name))
      return file === undefined ? [] : [[name, file] as const]
    }),
  )
  return new Map(files.flat())
}

/** Undefined for a file that was deleted in the meantime. */
async function readProfile(folder: URL, name: string, known: ReadFile | undefined): Promise<ReadFile | undefined> {
  const file = new URL(encodeURIComponent(name), folder)
  const found = await stat(file).catch(() => undefined)
  const version = found && `${found.mtimeMs} ${found.size} ${found.ino}`
  if (version === undefined || known?.version === version) {
    return version === undefined ? undefined : known
  }
  try {
    return { version, profile: parseBankProfile(name, await readFile(file, 'utf8')), fault: undefined }
  } catch (error) {
    return { version, profile: known?.profile, fault: error instanceof Error ? error.message : String(error) }
  }
}

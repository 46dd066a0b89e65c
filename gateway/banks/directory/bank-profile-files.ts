/** Reads the bank profiles of this release and of the operator, and reloads changed files. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from '../../platform/observability/log.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import { BANK_PROFILES_FOLDER, parseBankProfile } from './validate-bank-profile.ts'

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
type ReadFolder = ReadonlyMap<string, ReadFile>

/**
 * Opens both folders. A profile of the operator replaces a shipped one with the same name. Throws when a shipped
 * profile is invalid or the operator's folder is unreadable; errors in the operator's files are logged once per version.
 */
export async function openBankProfiles(operatorFolder: string | null, log: Pick<Log, 'error'>): Promise<BankProfiles> {
  const folders = [
    BANK_PROFILES_FOLDER,
    ...(operatorFolder === null ? [] : [pathToFileURL(`${resolve(operatorFolder)}/`)]),
  ]
  let read: readonly ReadFolder[] = await Promise.all(folders.map((folder) => readInitially(folder)))
  for (const { fault } of read.flatMap((files) => [...files.values()])) {
    logProfileError(log, fault)
  }
  let profiles = mergeFolders(read)
  return {
    current: async () => {
      const now = await Promise.all(folders.map((folder, index) => reloadFolder(folder, read[index] ?? new Map(), log)))
      if (now.some((files, index) => files !== read[index])) {
        read = now
        profiles = mergeFolders(read)
      }
      return profiles
    },
    faultOf: (name) => read.map((files) => files.get(`${name}.json`)).findLast((file) => file !== undefined)?.fault,
    isOfOperator: (name) => read.slice(1).some((files) => files.has(`${name}.json`)),
  }
}

async function readInitially(folder: URL): Promise<ReadFolder> {
  const files = await readFolder(folder, new Map()).catch((error: unknown) => {
    throw new Error(`HAVN_BANK_PROFILES_DIR names ${folder.pathname}, which cannot be read: create the folder`, {
      cause: error,
    })
  })
  const shippedFault = [...files.values()].find(({ fault }) => fault !== undefined)?.fault
  if (folder === BANK_PROFILES_FOLDER && shippedFault !== undefined) {
    throw new Error(shippedFault)
  }
  return files
}

/** Returns the same map when nothing has changed; an unreadable folder counts as unchanged. */
async function reloadFolder(folder: URL, previous: ReadFolder, log: Pick<Log, 'error'>): Promise<ReadFolder> {
  try {
    const files = await readFolder(folder, previous)
    const changed = [...files].filter(([name, file]) => previous.get(name) !== file)
    for (const [, { fault }] of changed) {
      logProfileError(log, fault)
    }
    return changed.length === 0 && files.size === previous.size ? previous : files
  } catch (error) {
    log.error({ folder: folder.pathname, error }, 'the bank profiles cannot be reloaded; the loaded ones stay in use')
    return previous
  }
}

async function readFolder(folder: URL, previous: ReadFolder): Promise<ReadFolder> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const files = await Promise.all(names.map(async (name) => [name, await readProfile(folder, name, previous)] as const))
  return new Map(files.flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])))
}

/** Undefined for a file that was deleted in the meantime. */
async function readProfile(folder: URL, name: string, previous: ReadFolder): Promise<ReadFile | undefined> {
  const file = new URL(encodeURIComponent(name), folder)
  const known = previous.get(name)
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) {
    return undefined
  }
  const version = `${found.mtimeMs} ${found.size} ${found.ino}`
  if (known?.version === version) {
    return known
  }
  try {
    return { version, profile: parseBankProfile(name, await readFile(file, 'utf8')), fault: undefined }
  } catch (error) {
    return { version, profile: known?.profile, fault: error instanceof Error ? error.message : String(error) }
  }
}

function mergeFolders(folders: readonly ReadFolder[]): ReadonlyMap<string, BankProfile> {
  const profiles = folders.flatMap((files) => [...files.values()]).flatMap(({ profile }) => profile ?? [])
  return new Map(profiles.map((profile) => [profile.name, profile]))
}

function logProfileError(log: Pick<Log, 'error'>, fault: string | undefined): void {
  if (fault !== undefined) {
    log.error({ fault }, 'invalid bank profile; the last valid version stays in use')
  }
}

/** Reads the bank profiles of this release and of the operator, and reads those again whose files have changed. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from '../../platform/observability/log.ts'
import type { BankProfile } from './bank.ts'
import { BANK_PROFILES_FOLDER, parseBankProfile } from './bank-profile.ts'

/** The profiles as the files have them at present. */
export type BankProfiles = {
  /** By name. The map, and each profile in it, is the same one until a file changes. */
  current(): Promise<ReadonlyMap<string, BankProfile>>
  /** Why the profile of a name is not usable as its file stands; undefined when it is, or when there is no such file. */
  faultOf(name: string): string | undefined
  /** Whether the profile of a name is one of the operator's folder. */
  isOfOperator(name: string): boolean
}

type ReadFile = {
  /** Changes whenever the file does. */
  readonly version: string
  /** Of the last version that was usable: a mistake in a file does not take a bank out of service. */
  readonly profile: BankProfile | undefined
  readonly fault: string | undefined
}
type ReadFolder = ReadonlyMap<string, ReadFile>

/**
 * Opens both folders. A profile of the operator takes the place of a shipped one with the same name. Throws where a
 * shipped profile is not usable, or where the operator's folder cannot be read; what is wrong with a file of the operator
 * is logged, once for each version of it.
 */
export async function openBankProfiles(operatorFolder: string | null, log: Pick<Log, 'error'>): Promise<BankProfiles> {
  const folders = [BANK_PROFILES_FOLDER, ...(operatorFolder === null ? [] : [folderAt(operatorFolder)])]
  let read: readonly ReadFolder[] = await Promise.all(folders.map((folder) => firstReading(folder)))
  for (const { fault } of read.flatMap((files) => [...files.values()])) {
    logFault(log, fault)
  }
  let profiles = joined(read)
  return {
    current: async () => {
      const now = await Promise.all(folders.map((folder, index) => readAgain(folder, read[index] ?? new Map(), log)))
      if (now.some((files, index) => files !== read[index])) {
        read = now
        profiles = joined(read)
      }
      return profiles
    },
    faultOf: (name) => read.map((files) => files.get(`${name}.json`)).findLast((file) => file !== undefined)?.fault,
    isOfOperator: (name) => read.slice(1).some((files) => files.has(`${name}.json`)),
  }
}

function folderAt(path: string): URL {
  return pathToFileURL(`${resolve(path)}/`)
}

async function firstReading(folder: URL): Promise<ReadFolder> {
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

/** The same map where nothing has changed; a folder that cannot be read at the moment counts as unchanged. */
async function readAgain(folder: URL, former: ReadFolder, log: Pick<Log, 'error'>): Promise<ReadFolder> {
  try {
    const files = await readFolder(folder, former)
    const changed = [...files].filter(([name, file]) => former.get(name) !== file)
    for (const [, { fault }] of changed) {
      logFault(log, fault)
    }
    return changed.length === 0 && files.size === former.size ? former : files
  } catch (error) {
    log.error({ folder: folder.pathname, error }, 'the bank profiles cannot be read again')
    return former
  }
}

async function readFolder(folder: URL, former: ReadFolder): Promise<ReadFolder> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const files = await Promise.all(names.map(async (name) => [name, await readProfile(folder, name, former)] as const))
  return new Map(files.flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])))
}

/** Undefined for a file that was deleted meanwhile. */
async function readProfile(folder: URL, name: string, former: ReadFolder): Promise<ReadFile | undefined> {
  const file = new URL(encodeURIComponent(name), folder)
  const known = former.get(name)
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

function joined(folders: readonly ReadFolder[]): ReadonlyMap<string, BankProfile> {
  const profiles = folders.flatMap((files) => [...files.values()]).flatMap(({ profile }) => profile ?? [])
  return new Map(profiles.map((profile) => [profile.name, profile]))
}

function logFault(log: Pick<Log, 'error'>, fault: string | undefined): void {
  if (fault !== undefined) {
    log.error({ fault }, 'a bank profile is not usable')
  }
}

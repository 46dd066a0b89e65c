/** Stores credentials of developers in a file of the user, which only the user may read. */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from '../command-error.ts'

/** A gateway with the credentials of a partner there. */
export type Profile = {
  readonly baseUrl: string
  /** Where tokens are issued, if not at `baseUrl`. */
  readonly authUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly environment: 'sandbox' | 'production'
  /** Where users return to from their bank. */
  readonly callbackUrl?: string
}

const REQUIRED = ['baseUrl', 'clientId', 'clientSecret', 'environment'] as const
const OPTIONAL = ['authUrl', 'callbackUrl'] as const

export const DEFAULT_PROFILE = 'default'
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700
const MODE_OF_OTHER_USERS = 0o077

/** `$XDG_CONFIG_HOME/havn/profiles.json`, by default below `~/.config`. */
export function profileFilePath(environment: NodeJS.ProcessEnv): string {
  const folder = environment['XDG_CONFIG_HOME']?.trim() || join(environment['HOME']?.trim() || homedir(), '.config')
  return join(folder, 'havn', 'profiles.json')
}

/** All profiles by name; empty without a file. Throws when the file is damaged, or when other users may read it. */
export async function readProfiles(path: string): Promise<Readonly<Record<string, Profile>>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined
    }
    throw error
  })
  if (text === undefined) {
    return {}
  }
  if (await isReadableByOtherUsers(path)) {
    throw new CommandError('invalid', `${path} holds secrets, and other users may read it`, {
      next: `chmod 600 ${path}`,
    })
  }
  return parseProfiles(path, text)
}

/** Windows has no such modes. */
export async function isReadableByOtherUsers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & MODE_OF_OTHER_USERS) !== 0
}

/** Replaces one profile, or deletes it if `profile` is undefined. The file is replaced as a whole. */
export async function writeProfile(path: string, name: string, profile: Profile | undefined): Promise<void> {
  const { [name]: _replaced, ...rest } = await readProfiles(path)
  const profiles = profile === undefined ? rest : { ...rest, [name]: profile }
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  const unfinished = `${path}.${process.pid}`
  try {
    await writeFile(unfinished, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: OWNER_ONLY })
    await chmod(unfinished, OWNER_ONLY)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

function parseProfiles(path: string, text: string): Readonly<Record<string, Profile>> {
  const next = `havn login, after deleting ${path}`
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new CommandError('invalid', `${path} is not JSON`, { next })
  }
  if (!isRecord(parsed) || !isRecord(parsed['profiles'])) {
    throw new CommandError('invalid', `${path}: /profiles must be an object`, { next })
  }
  const profiles = Object.entries(parsed['profiles']).map(([name, profile]) => {
    const error = errorOf(profile)
    if (error !== undefined) {
      throw new CommandError('invalid', `${path}: /profiles/${name}${error}`, { next })
    }
    return [name, profile as Profile] as const
  })
  return Object.fromEntries(profiles)
}

/** Without schemas: to load their package would take longer than a command that reads a profile. */
function errorOf(profile: unknown): string | undefined {
  if (!isRecord(profile)) {
    return ' must be an object'
  }
  const isText = (name: string) => typeof profile[name] === 'string'
  const wrong =
    REQUIRED.find((name) => !isText(name)) ?? OPTIONAL.find((name) => profile[name] !== undefined && !isText(name))
  if (wrong !== undefined) {
    return `/${wrong} must be a text`
  }
  const isKnown = profile['environment'] === 'sandbox' || profile['environment'] === 'production'
  return isKnown ? undefined : '/environment must be sandbox or production'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

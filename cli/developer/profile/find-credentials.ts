/** Decides which gateway and which credentials a command uses. */

import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { dataFolderOf, readRunningHavn } from '../../../launcher/data-folder.ts'
import { CommandError } from '../command-error.ts'
import { DEFAULT_PROFILE, type Profile, profileFilePath, readProfiles } from './profile-file.ts'

/** Credentials, and where they are from. */
export type FoundCredentials = { readonly profile: Profile; readonly source: string }

export const CREDENTIAL_VARIABLES = {
  baseUrl: 'HAVN_URL',
  authUrl: 'HAVN_TOKEN_URL',
  clientId: 'HAVN_CLIENT_ID',
  clientSecret: 'HAVN_CLIENT_SECRET',
  environment: 'HAVN_ENVIRONMENT',
  callbackUrl: 'HAVN_CALLBACK_URL',
} as const
export const PROFILE_VARIABLE = 'HAVN_PROFILE'
const REQUIRED = ['baseUrl', 'clientId', 'clientSecret'] as const

type Given = { readonly [name in keyof Profile]?: string }

/**
 * In this order: `--profile`, the variable for it, the `npm start` of this folder, the default profile. Environment
 * variables replace single values of what was found, or are enough without it.
 */
export async function findCredentials(
  environment: NodeJS.ProcessEnv,
  profileName: string | undefined,
): Promise<FoundCredentials> {
  const found = await findStored(environment, profileName?.trim() || environment[PROFILE_VARIABLE]?.trim() || undefined)
  const given = readGiven(environment)
  const names = Object.keys(given).map((name) => CREDENTIAL_VARIABLES[name as keyof typeof CREDENTIAL_VARIABLES])
  const combined = { ...found?.profile, ...given }
  const missing = REQUIRED.filter((name) => combined[name] === undefined)
  if (missing.length > 0) {
    const variables = missing.map((name) => CREDENTIAL_VARIABLES[name]).join(', ')
    const message = names.length === 0 ? 'You are not logged in' : `You are not logged in, and ${variables} is not set`
    throw new CommandError('unauthenticated', message, {
      next: 'havn login, or npm start in the folder of Havn for a sandbox with a demo partner',
    })
  }
  const { baseUrl = '', clientId = '', clientSecret = '' } = combined
  const profile: Profile = {
    ...combined,
    baseUrl: requireUrl(baseUrl, CREDENTIAL_VARIABLES.baseUrl),
    clientId,
    clientSecret,
    environment: requireEnvironment(combined.environment ?? environmentOf(baseUrl), CREDENTIAL_VARIABLES.environment),
  }
  const source = [found?.source, names.join(', ')].filter(Boolean).join(' and ')
  return { profile, source }
}

/** A gateway on this machine is a sandbox unless something else is stated. */
export function environmentOf(baseUrl: string): Profile['environment'] {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/i.test(baseUrl) ? 'sandbox' : 'production'
}

/** Throws when a text is not the URL of a gateway; `name` says where it is from. */
export function requireUrl(text: string, name: string): string {
  if (!(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) {
    throw new CommandError(
      'invalid',
      `${name} must be the URL of a gateway, for example https://havn.example, not "${text}"`,
    )
  }
  return text.replace(/(?<!\/)\/+$/, '')
}

/** Throws when a text is not the name of an environment; `name` says where it is from. */
export function requireEnvironment(text: string, name: string): Profile['environment'] {
  if (text !== 'sandbox' && text !== 'production') {
    throw new CommandError('invalid', `${name} must be sandbox or production, not "${text}"`)
  }
  return text
}

async function findStored(
  environment: NodeJS.ProcessEnv,
  name: string | undefined,
): Promise<FoundCredentials | undefined> {
  const running = name === undefined ? await findRunningSandbox(environment) : undefined
  if (running !== undefined) {
    return { profile: running, source: 'the demo partner of the npm start in this folder' }
  }
  const path = profileFilePath(environment)
  const profiles = await readProfiles(path)
  const profile = Object.hasOwn(profiles, name ?? DEFAULT_PROFILE) ? profiles[name ?? DEFAULT_PROFILE] : undefined
  if (profile === undefined && name !== undefined) {
    const known = Object.keys(profiles).join(', ') || 'none'
    throw new CommandError('invalid', `There is no profile "${name}" in ${path}; there are: ${known}`, {
      next: `havn login --profile ${name}`,
    })
  }
  return profile === undefined ? undefined : { profile, source: `profile ${name ?? DEFAULT_PROFILE}` }
}

function readGiven(environment: NodeJS.ProcessEnv): Given {
  const entries = Object.entries(CREDENTIAL_VARIABLES).map(([name, variable]) => [name, environment[variable]?.trim()])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

/** The demo partner at the Havn that runs with the data folder of this folder; undefined without one. */
export async function findRunningSandbox(environment: NodeJS.ProcessEnv): Promise<Profile | undefined> {
  const folder = dataFolderOf(environment)
  const running = await readRunningHavn(folder)
  return running?.gatewayUrl === undefined || running.hasDemoPartner !== true
    ? undefined
    : { baseUrl: running.gatewayUrl, environment: 'sandbox', ...demoCredentials }
}

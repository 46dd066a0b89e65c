/** `havn login`: checks credentials by a token request, and stores them in a profile. */
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { scopesByEnvironment } from '../../../contract/environments.ts'
import { createHavnClient } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import { developerCommand, environmentOption } from '../command-options.ts'
import type { Context } from '../context.ts'
import {
  CREDENTIAL_VARIABLES,
  environmentOf,
  findRunningSandbox,
  PROFILE_VARIABLE,
  requireEnvironment,
  requireUrl,
} from './find-credentials.ts'
import { DEFAULT_PROFILE, type Profile, profileFilePath, readProfiles, writeProfile } from './profile-file.ts'

export type LoginOptions = {
  readonly baseUrl?: string
  readonly authUrl?: string
  readonly clientId?: string
  readonly clientSecretStdin?: boolean
  readonly environment?: string
  readonly callbackUrl?: string
  readonly profile?: string
}

const LOCAL_GATEWAY = 'http://127.0.0.1:8080'

export async function login(context: Context, options: LoginOptions): Promise<void> {
  const { environment, output } = context
  const name = options.profile?.trim() || environment[PROFILE_VARIABLE]?.trim() || DEFAULT_PROFILE
  const running = await findRunningSandbox(environment)
  const profile = await readLogin(context, options, running)
  const expiresInSeconds = await requestToken(profile)
  const path = profileFilePath(environment)
  await writeProfile(path, name, profile)
  const { baseUrl, clientId } = profile
  const shadow =
    running !== undefined && running.baseUrl !== baseUrl && name === DEFAULT_PROFILE
      ? `\nIn this folder the commands use the npm start that runs here; --profile ${name} chooses this one.`
      : ''
  output.result(
    {
      profile: name,
      baseUrl,
      clientId,
      environment: profile.environment,
      file: path,
      tokenExpiresInSeconds: expiresInSeconds,
    },
    `Logged in as ${clientId} at ${baseUrl} (${profile.environment}): a token was issued.\n` +
      `Stored as profile ${name} in ${path}, which only you can read.${shadow}\nNext: havn pay --help`,
  )
}

/** `havn logout`: deletes a profile. */
export async function logout({ environment, output }: Context, options: { readonly profile?: string }): Promise<void> {
  const name = options.profile?.trim() || environment[PROFILE_VARIABLE]?.trim() || DEFAULT_PROFILE
  const path = profileFilePath(environment)
  const known = Object.keys(await readProfiles(path))
  if (!known.includes(name)) {
    const text = `There is no profile ${name} in ${path}; there are: ${known.join(', ') || 'none'}`
    output.result({ profile: name, deleted: false }, text)
    return
  }
  await writeProfile(path, name, undefined)
  output.result({ profile: name, deleted: true }, `Profile ${name} is deleted.`)
}

/** Options come first, then environment variables, the sandbox of this folder, and questions. */
async function readLogin(context: Context, options: LoginOptions, running: Profile | undefined): Promise<Profile> {
  const variable = (name: keyof typeof CREDENTIAL_VARIABLES) =>
    context.environment[CREDENTIAL_VARIABLES[name]]?.trim() || undefined
  const givenUrl = options.baseUrl ?? variable('baseUrl')
  const isOfSandbox =
    running !== undefined && (givenUrl === undefined || givenUrl.replace(/(?<!\/)\/+$/, '') === running.baseUrl)
  const known: Partial<Profile> = isOfSandbox ? running : {}
  const baseUrl = requireUrl(
    givenUrl ?? known.baseUrl ?? (await askFor(context, 'URL of the gateway', '--base-url', LOCAL_GATEWAY)),
    '--base-url',
  )
  const clientId =
    options.clientId ?? variable('clientId') ?? known.clientId ?? (await askFor(context, 'Client id', '--client-id'))
  const clientSecret =
    (options.clientSecretStdin === true ? (await readAll(process.stdin)).trim() : variable('clientSecret')) ??
    (clientId === known.clientId ? known.clientSecret : undefined) ??
    (await askForSecret(context))
  const environment = options.environment ?? variable('environment') ?? known.environment ?? environmentOf(baseUrl)
  const authUrl = options.authUrl ?? variable('authUrl')
  const callbackUrl = options.callbackUrl ?? variable('callbackUrl')
  return {
    baseUrl,
    clientId,
    clientSecret,
    environment: requireEnvironment(environment, '--environment'),
    ...(authUrl === undefined ? {} : { authUrl: requireUrl(authUrl, '--auth-url') }),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  }
}

async function askFor({ questions }: Context, question: string, option: string, otherwise?: string): Promise<string> {
  const answer = questions.isInteractive ? await questions.ask(question, otherwise) : ''
  if (answer === '') {
    throw new CommandError('invalid', `${option} is missing, and there is no terminal on which to ask for it`, {
      next: 'havn login --help',
    })
  }
  return answer
}

async function askForSecret({ questions }: Context): Promise<string> {
  const answer = questions.isInteractive ? await questions.askSecret('Client secret') : ''
  if (answer === '') {
    const message = `The client secret is missing: set ${CREDENTIAL_VARIABLES.clientSecret}, or pipe it to --client-secret-stdin`
    throw new CommandError('invalid', message, { next: 'havn login --help' })
  }
  return answer
}

/** Returns how long the token is valid, in seconds. */
async function requestToken({ environment, clientId, clientSecret, ...urls }: Profile): Promise<number> {
  const havn = createHavnClient({ ...urls, clientId, clientSecret, environment })
  const body = {
    grant_type: 'client_credentials',
    scope: scopesByEnvironment[environment],
    client_id: clientId,
    client_secret: clientSecret,
  } as const
  return (await havn.issueToken({ body })).expires_in
}

export function declareLogin(command: Command): void {
  developerCommand(command, login, [
    ['havn login', 'on a terminal, or in the folder of a running npm start'],
    'havn login --profile live --base-url https://havn.example --client-id erp --client-secret-stdin < secret',
  ])
    .option('--base-url <url>', 'the gateway; by default that of HAVN_URL, or the npm start in this folder')
    .option('--auth-url <url>', 'where tokens are issued, if that is elsewhere')
    .option('--client-id <id>', 'by default that of HAVN_CLIENT_ID; asked for on a terminal')
    .option('--client-secret-stdin', 'read the secret from stdin; by default that of HAVN_CLIENT_SECRET')
    .addOption(environmentOption('gateway'))
    .option('--callback-url <url>', 'where users return to from their bank')
}

export function declareLogout(command: Command): void {
  developerCommand(command, logout, ['havn logout --profile live'])
}

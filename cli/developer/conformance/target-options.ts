/** Reads the server and the credentials of `havn conform` from its options, the environment and profiles. */
import type { TargetOptions } from '../../../conformance/http/exchange.ts'
import { scopesByEnvironment } from '../../../contract/environments.ts'
import { CommandError } from '../command-error.ts'
import { psuAddressOf } from '../context.ts'
import {
  CREDENTIAL_VARIABLES,
  environmentOf,
  findCredentials,
  requireEnvironment,
  requireUrl,
} from '../profile/find-credentials.ts'
import type { Profile } from '../profile/profile-file.ts'

export type ConformOptions = {
  readonly baseUrl?: string
  readonly authUrl?: string
  readonly onboardingUrl?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly environment?: string
  readonly otherClientId?: string
  readonly otherClientSecret?: string
  readonly consent?: string
  readonly account?: string
  readonly to?: string
  readonly webhookUrl?: string
  readonly webhookPort?: string
  readonly patience?: string
  readonly only?: string
  readonly html?: string
  readonly junit?: string
  readonly profile?: string
}

const OTHER_SECRET_VARIABLE = 'HAVN_OTHER_CLIENT_SECRET'
const PORT_MAX = 65_535
const PATIENCE_DEFAULT = '30'

/** Throws a `CommandError` that names the option or variable that is missing or wrong. */
export async function readTargetOptions(
  environment: NodeJS.ProcessEnv,
  options: ConformOptions,
): Promise<TargetOptions> {
  const profile = await profileOf(environment, options)
  const { baseUrl, clientId, clientSecret } = profile
  const named = options.environment ?? profile.environment
  return {
    baseUrl,
    authUrl: profile.authUrl ?? baseUrl,
    onboardingUrl:
      options.onboardingUrl === undefined ? baseUrl : requireUrl(options.onboardingUrl, '--onboarding-url'),
    credentials: { clientId, clientSecret },
    scope: scopesByEnvironment[requireEnvironment(named, '--environment')],
    otherPartner: otherPartnerOf(environment, options),
    consentId: options.consent,
    account: options.account,
    creditorAccount: options.to,
    webhookUrl: options.webhookUrl === undefined ? undefined : requireUrl(options.webhookUrl, '--webhook-url'),
    webhookPort: options.webhookPort === undefined ? undefined : requirePort(options.webhookPort),
    callbackUrl: profile.callbackUrl ?? `${baseUrl}/console`,
    patienceSeconds: requirePatience(options.patience ?? PATIENCE_DEFAULT),
    psuIpAddress: psuAddressOf(environment),
  }
}

/** The secret of a profile is never sent to another server than that of the profile. */
async function profileOf(environment: NodeJS.ProcessEnv, options: ConformOptions): Promise<Profile> {
  if (options.baseUrl === undefined) {
    const { profile } = await findCredentials(environment, options.profile)
    const { clientId = profile.clientId, clientSecret = profile.clientSecret, authUrl = profile.authUrl } = options
    return {
      ...profile,
      clientId,
      clientSecret,
      ...(authUrl === undefined ? {} : { authUrl: requireUrl(authUrl, '--auth-url') }),
    }
  }
  const baseUrl = requireUrl(options.baseUrl, '--base-url')
  const { authUrl, environment: named = environmentOf(baseUrl) } = options
  return {
    baseUrl,
    clientId: required('--client-id', options.clientId ?? environment[CREDENTIAL_VARIABLES.clientId]),
    clientSecret: required(
      CREDENTIAL_VARIABLES.clientSecret,
      options.clientSecret ?? environment[CREDENTIAL_VARIABLES.clientSecret],
    ),
    environment: requireEnvironment(named, '--environment'),
    ...(authUrl === undefined ? {} : { authUrl: requireUrl(authUrl, '--auth-url') }),
  }
}

function otherPartnerOf(environment: NodeJS.ProcessEnv, options: ConformOptions): TargetOptions['otherPartner'] {
  const { otherClientId: clientId, otherClientSecret = environment[OTHER_SECRET_VARIABLE] } = options
  return clientId === undefined
    ? undefined
    : { clientId, clientSecret: required(OTHER_SECRET_VARIABLE, otherClientSecret) }
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') {
    throw new CommandError('invalid', `${name} is missing: with --base-url, the credentials are given with it`, {
      next: 'havn conform --base-url <url> --client-id <id>, with the secret in HAVN_CLIENT_SECRET',
    })
  }
  return value.trim()
}

function requirePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX) {
    throw new CommandError('invalid', `--webhook-port must be a port, for example 8090, not "${text}"`)
  }
  return port
}

function requirePatience(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new CommandError('invalid', `--patience must be a number of seconds, for example 30, not "${text}"`)
  }
  return Number(text)
}

/** Makes the options of WebAuthn for a browser, and verifies what its authenticator answered. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../../gateway/context.ts'
import { parseJson } from '../../../gateway/platform/parse-json.ts'
import type { NewPasskey, Passkey } from '../../users/passkey-store.ts'
import type { UserAccount } from '../../users/user-account.ts'

/** The challenge is also by which a sign-in is found again. */
export type PasskeyOptions = { readonly challenge: string; readonly options: object }

type Site = Context

const SITE_NAME = 'Havn'
/** EdDSA, ES256 and RS256, as COSE numbers them: what authenticators offer. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded at the first use: most installations sign in at a provider. */
const webAuthn = () => import('@simplewebauthn/server')

/** The passkey names its user, so that signing in needs no name; the authenticator verifies the user by a PIN or a body part. */
export async function registrationOptions(
  site: Site,
  { id, name }: UserAccount,
  known: readonly Passkey[] = [],
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: hostOf(site),
    userID: Uint8Array.from(Buffer.from(id)),
    userName: name,
    userDisplayName: name,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challenge: options.challenge, options }
}

export async function authenticationOptions(site: Site): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({ rpID: hostOf(site), userVerification: 'required' })
  return { challenge: options.challenge, options }
}

/** The new passkey; undefined when the answer proves nothing. */
export async function verifyRegistration(
  site: Site,
  { challenge, answer }: { readonly challenge: string; readonly answer: string },
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await webAuthn()
  return await provenOrUndefined(async () => {
    // The library reads it as what anyone may have sent.
    const response: RegistrationResponseJSON = Object(parseJson(answer))
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected(site, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return verified
      ? {
          credentialId: registrationInfo.credential.id,
          publicKey: Buffer.from(registrationInfo.credential.publicKey).toString('base64url'),
          signatureCount: registrationInfo.credential.counter,
          transports: registrationInfo.credential.transports ?? [],
        }
      : undefined
  })
}

/** By which id the authenticator names its passkey; undefined for an answer that cannot be read. */
export function credentialIdOf(answer: string): string | undefined {
  try {
    const { id } = Object(parseJson(answer))
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** The new count of signatures; undefined when the answer proves nothing. */
export async function verifyAuthentication(
  site: Site,
  expectedChallenge: string,
  answer: string,
  { credentialId, publicKey, signatureCount }: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn()
  return await provenOrUndefined(async () => {
    const response: AuthenticationResponseJSON = Object(parseJson(answer))
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...expected(site, expectedChallenge),
      credential: {
        id: credentialId,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter: signatureCount,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
}

function expected(site: Site, expectedChallenge: string) {
  const { origin } = new URL(site.config.baseUrl)
  return { expectedChallenge, expectedOrigin: origin, expectedRPID: hostOf(site), requireUserVerification: true }
}

function hostOf({ config }: Site): string {
  return new URL(config.baseUrl).hostname
}

/** The library throws for whatever does not fit. */
async function provenOrUndefined<Result>(verify: () => Promise<Result | undefined>): Promise<Result | undefined> {
  return await verify().catch(() => undefined)
}

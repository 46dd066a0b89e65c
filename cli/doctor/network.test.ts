/** Calls banks, providers and our own public URLs, each misconfigured in one respect, over real connections. */

import { once } from 'node:events'
import { createServer as createHttp, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Server as TcpServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Damage,
  type SoundInstallation,
  soundInstallation,
} from '../../gateway/testing/doctor/sound-installation.ts'
import { validFor } from '../../gateway/testing/gateway/test-certificates.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { UNKNOWN_HOST } from '../../gateway/testing/unknown-host.ts'
import { LOCAL_HOSTS } from '../../launcher/certificates/sandbox-certificates.ts'

/** What is wrong with each server, in the order of the ids of the checks. */
const FAULTY = ['name-unknown', 'port-closed', 'timeout', 'untrusted', 'rejects-certificate', 'failed'] as const
const CHECKS = {
  bank: [
    'bank-name-unknown',
    'bank-port-closed',
    'bank-timeout',
    'bank-untrusted',
    'bank-rejects-certificate',
    'bank-failed',
  ],
  provider: [
    'provider-name-unknown',
    'provider-port-closed',
    'provider-timeout',
    'provider-untrusted',
    'provider-rejects-certificate',
    'provider-failed',
  ],
  public: [
    'public-name-unknown',
    'public-port-closed',
    'public-timeout',
    'public-untrusted',
    'public-rejects-certificate',
    'public-failed',
  ],
}
const SANDBOX = { HAVN_MODE: 'sandbox', HAVN_TRUST_PROXY: '0' }

let sound: SoundInstallation
let gateway: TestGateway
const servers: (Server | TcpServer)[] = []
/** The URL of a server with each fault. */
let faulty: Readonly<Record<(typeof FAULTY)[number], string>>

beforeAll(async () => {
  ;[sound, gateway] = await Promise.all([soundInstallation(), startTestGateway()])
  const certificate = await sound.certificates.authority.issueServer(LOCAL_HOSTS, validFor(90))
  const tls = { cert: certificate.certificate, key: certificate.key }
  // No cipher for its key: the handshake ends with an alert.
  const withoutCipher = { ...tls, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
  const closed = await listen(createTcp())
  servers.pop()?.close()
  faulty = {
    'name-unknown': `https://${UNKNOWN_HOST}`,
    'port-closed': `https://127.0.0.1:${closed}`,
    timeout: `https://127.0.0.1:${await listen(createTcp())}`,
    untrusted: `https://127.0.0.1:${await listen(createHttps({ ...tls, cert: certificate.certificate }))}`,
    'rejects-certificate': `https://127.0.0.1:${await listen(createHttps(withoutCipher))}`,
    failed: `http://127.0.0.1:${await listen(createTcp((socket) => socket.on('error', () => undefined).end('not HTTP\r\n\r\n')))}`,
  }
})
afterAll(async () => {
  for (const server of servers) {
    server.close()
  }
  await Promise.all([sound.remove(), gateway.close()])
})

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const found = async (group: string, damage: Damage) => await sound.findings([group], damage)
const checksOf = async (group: string, settings: Damage['settings'] = {}) =>
  (await found(group, { settings })).map(({ check }) => check)

async function putBanks(banks: readonly { bic: string; address: string; profile?: string }[]): Promise<void> {
  const row = ({ bic, address, profile = 'norwegian-redirect' }: (typeof banks)[number]) =>
    `insert into banks (bic, name, country_code, connector, profile, address, link_hosts, enabled, failures, order_failures)
     values ('${bic}', '${bic}', 'NO', 'berlin-group', '${profile}', '${address}', '{}', true, 0, 0)`
  await sound.sql('delete from banks', ...banks.map(row))
}

describe.concurrent('a host that cannot be reached', () => {
  it('is found with the reason, for all banks at once', async () => {
    await putBanks(FAULTY.map((fault, n) => ({ bic: `BANK${n}`, address: faulty[fault] })))
    const findings = await found('banks', { settings: SANDBOX })
    expect(findings.map(({ check, where }) => [check, where])).toEqual(
      CHECKS.bank.map((check, n) => [check, `BANK${n}`]),
    )
    expect(JSON.stringify(findings)).toContain('nc -vz 127.0.0.1')
  })

  it('is found with the reason, for providers', async () => {
    const checks = await Promise.all(
      FAULTY.map((fault) => checksOf('providers', { ...SANDBOX, HAVN_REFERENCE_RATES_URL: faulty[fault] })),
    )
    expect(checks.flat()).toEqual(CHECKS.provider)
  })

  it('is found with the reason, for public URLs', async () => {
    const checks = await Promise.all(
      FAULTY.map((fault) => checksOf('public', { ...SANDBOX, HAVN_BASE_URL: faulty[fault] })),
    )
    expect(checks.flat()).toEqual(CHECKS.public)
  })
})

describe('a bank', () => {
  let port: number
  let clockOffsetMilliseconds = 0
  let settings: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { cert, key, ca } = {
      cert: sound.certificates.trust.certificate,
      key: sound.certificates.trust.key,
      ca: sound.certificates.trust.clientAuthorities,
    }
    const server = createHttps({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, (_request, response) => {
      response.setHeader('date', new Date(Date.now() + clockOffsetMilliseconds).toUTCString())
      response.writeHead(404).end()
    })
    port = await listen(server)
    settings = { ...SANDBOX, ...sound.certificates.settings }
  })

  it('that accepts our certificate is sound; without the QWAC or its CA it is not', async () => {
    await putBanks([{ bic: 'MTLSNO22', address: `https://127.0.0.1:${port}` }])
    expect(await checksOf('banks', settings)).toEqual([])
    const { HAVN_BANK_CA_FILE: authority } = settings
    expect(await checksOf('banks', { ...SANDBOX, HAVN_BANK_CA_FILE: authority })).toEqual(['bank-rejects-certificate'])
    expect(await checksOf('banks', { ...settings, HAVN_BANK_CA_FILE: undefined })).toEqual(['bank-untrusted'])
  })

  it('whose clock differs, whose profile is missing, whose address has the version, or which is the sandbox is found', async () => {
    await putBanks([{ bic: 'MTLSNO22', address: `https://127.0.0.1:${port}`, profile: 'missing' }])
    expect(await checksOf('banks', settings)).toEqual(['bank-profile-missing'])
    await sound.sql("update banks set certificate = '2027', profile = 'norwegian-redirect'")
    expect(await checksOf('banks', settings)).toContain('bank-certificate-missing')
    await putBanks([{ bic: 'MTLSNO22', address: `https://127.0.0.1:${port}/psd2/v1` }])
    expect(await checksOf('banks', settings)).toEqual(['bank-address-version'])
    await putBanks([{ bic: 'MTLSNO22', address: `https://127.0.0.1:${port}` }])
    clockOffsetMilliseconds = 120_000
    const [skew] = await found('banks', { settings })
    clockOffsetMilliseconds = 0
    expect(skew).toMatchObject({ check: 'clock-skew-bank', problem: expect.stringMatching(/1[12]\d s behind/) })
    expect(await checksOf('banks', { ...settings, HAVN_MODE: 'production' })).toEqual(['bank-of-sandbox'])
    await putBanks([{ bic: 'FILENO22', address: 'file:///nowhere/havn' }])
    expect(await checksOf('banks', settings)).toEqual(['bank-folder-missing'])
    await putBanks([])
    expect(await checksOf('banks', settings)).toEqual(['bank-missing'])
  })
})

describe('certificates', () => {
  it.each<readonly [string, () => Promise<Record<string, string | undefined>>, string]>([
    [
      'certificate-missing',
      async () => ({ HAVN_QWAC_CERTIFICATE_FILE: undefined, HAVN_QWAC_KEY_FILE: undefined }),
      'QWAC',
    ],
    ['certificate-invalid', async () => pem('QWAC', { certificate: 'none', key: 'none' }), 'X.509'],
    [
      'certificate-client-authentication',
      async () => pem('QWAC', await sound.certificates.qwac({ usages: ['1.3.6.1.5.5.7.3.1'] })),
      'Public authorities',
    ],
    [
      'certificate-client-authentication',
      async () => {
        const { putNamed, qwac, qseal, folder } = sound.certificates
        await putNamed('2027', { qwac: await qwac({ usages: ['1.3.6.1.5.5.7.3.1'] }), qseal: await qseal() })
        return { HAVN_CERTIFICATES_DIR: folder }
      },
      'HAVN_CERTIFICATES_DIR (2027.qwac.pem)',
    ],
    ['certificate-invalid', async () => ({ HAVN_CERTIFICATES_DIR: '/nowhere' }), 'HAVN_CERTIFICATES_DIR'],
    [
      'certificate-key-mismatch',
      async () => pem('QWAC', { ...(await sound.certificates.qwac()), key: (await sound.certificates.qseal()).key }),
      'does not belong',
    ],
    [
      'certificate-expired',
      async () => pem('QSEAL', await sound.certificates.qseal({ validity: validFor(-1) })),
      'has expired',
    ],
    [
      'certificate-not-valid-yet',
      async () =>
        pem('QSEAL', await sound.certificates.qseal({ validity: { notBefore: inDays(2), notAfter: inDays(90) } })),
      'valid from',
    ],
    [
      'certificate-expires-soon',
      async () => pem('QSEAL', await sound.certificates.qseal({ validity: validFor(20) })),
      'in 19 days',
    ],
    ['certificate-expires-soon', async () => ({ HAVN_CERTIFICATE_WARNING_DAYS: '100' }), 'QWAC expires in 89 days'],
    [
      'certificate-roles',
      async () => pem('QSEAL', await sound.certificates.qseal({ owner: { roles: ['PSP_AI'] } })),
      'PSP_PI (initiate payments)',
    ],
    [
      'certificate-licence',
      async () => pem('QSEAL', await sound.certificates.authority.issueServer(['localhost'], validFor(90))),
      'organizationIdentifier',
    ],
    [
      'certificate-licences-differ',
      async () => pem('QSEAL', await sound.certificates.qseal({ owner: { organizationIdentifier: 'PSDSE-FINA-1' } })),
      'PSDSE-FINA-1',
    ],
    ['certificate-host', async () => ({ HAVN_BASE_URL: 'https://other.nordkontor.no' }), 'other.nordkontor.no'],
    ['certificate-chain-incomplete', async () => ({ HAVN_BANK_CA_FILE: undefined }), 'Test QTSP CA 1'],
    [
      'certificate-chain-order',
      async () => {
        const { certificate, key } = await sound.certificates.qseal()
        return pem('QSEAL', { certificate: `${certificate}${(await sound.certificates.qwac()).certificate}`, key })
      },
      'does not issue',
    ],
  ])('%s is found', async (check, damage, names) => {
    const sandboxUrl = { HAVN_BASE_URL: 'https://localhost' }
    const changes = await damage()
    const findings = await found('certificates', {
      settings: { ...sound.certificates.settings, ...sandboxUrl, ...changes },
    })
    expect(findings.map((one) => one.check)).toContain(check)
    expect(JSON.stringify(findings.filter((one) => one.check === check))).toContain(names)
  })

  it('are sound as they were made, and one with an expired intermediate certificate is not', async () => {
    const settings = { ...sound.certificates.settings, HAVN_BASE_URL: 'https://localhost' }
    expect(await checksOf('certificates', settings)).toEqual([])
    const { certificate, key } = await sound.certificates.qseal()
    const chain = pem('QSEAL', { certificate: `${certificate}${sound.certificates.authority.certificate}`, key })
    const later = { real: () => inDays(105) }
    const findings = await found('certificates', { settings: { ...settings, ...chain }, host: later })
    expect(findings.map(({ check }) => check)).toContain('certificate-chain-expired')
  })

  function pem(
    use: string,
    { certificate, key }: { certificate: string; key: string },
  ): Record<string, string | undefined> {
    return {
      [`HAVN_${use}_CERTIFICATE_FILE`]: undefined,
      [`HAVN_${use}_KEY_FILE`]: undefined,
      [`HAVN_${use}_CERTIFICATE`]: certificate,
      [`HAVN_${use}_KEY`]: key,
    }
  }

  function inDays(days: number): Temporal.Instant {
    return validFor(days).notAfter
  }
})

describe('an identity provider', () => {
  it('oidc-discovery-wrong: another issuer, another host, no document and a file that is no key are found', async () => {
    let document: object = {}
    const port = await listen(
      createHttp(
        (_request, response) =>
          void response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
      ),
    )
    const issuer = `http://127.0.0.1:${port}`
    const sound_ = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }
    const provider = {
      id: 'bankid',
      name: 'BankID',
      issuer,
      clientId: 'havn',
      clientSecret: 'hemmelig-4711',
      countries: ['NO'],
    }
    const settings = { ...SANDBOX, HAVN_IDENTITY_PROVIDERS: JSON.stringify([provider]) }
    const checks: (readonly string[])[] = []
    for (const published of [
      sound_,
      { ...sound_, issuer: 'http://127.0.0.1:1' },
      { ...sound_, jwks_uri: 'https://elsewhere.no/keys' },
      {},
    ]) {
      document = published
      checks.push(await checksOf('providers', settings))
    }
    document = sound_
    const { clientSecret: _secret, ...withoutSecret } = provider
    const withKey = { ...withoutSecret, clientKeyFile: import.meta.filename }
    checks.push(await checksOf('providers', { ...SANDBOX, HAVN_IDENTITY_PROVIDERS: JSON.stringify([withKey]) }))
    const wrong = ['oidc-discovery-wrong']
    expect(checks).toEqual([[], wrong, wrong, wrong, wrong])
  })
})

describe('a proxy in front of the gateway', () => {
  /** Forwards everything, with changes. */
  async function proxy(changes: {
    requests?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
    responses?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
  }): Promise<string> {
    const server = createHttp((incoming, outgoing) => {
      const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9' }
      const forwarded = request(
        `${gateway.url}${incoming.url}`,
        { headers: changes.requests?.(headers) ?? headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, changes.responses?.(answer.headers) ?? answer.headers)
          answer.pipe(outgoing)
        },
      )
      incoming.pipe(forwarded)
    })
    return `http://127.0.0.1:${await listen(server)}`
  }
  const without =
    (...names: readonly string[]) =>
    (headers: IncomingHttpHeaders) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
  const behindProxy = (url: string, trusted = '1') => ({ ...SANDBOX, HAVN_BASE_URL: url, HAVN_TRUST_PROXY: trusted })

  it('that passes everything on is sound, and so is none', async () => {
    expect(await checksOf('public', behindProxy(await proxy({})))).toEqual([])
    expect(await checksOf('public', behindProxy(gateway.url, '0'))).toEqual([])
  })

  it('proxy-strips-request-headers, proxy-strips-response-headers and proxy-count are found', async () => {
    const stripping = await found('public', {
      settings: behindProxy(await proxy({ requests: without('authorization', 'consent-id') })),
    })
    expect(stripping).toMatchObject([
      { check: 'proxy-strips-request-headers', problem: expect.stringContaining('authorization, consent-id') },
    ])
    const hiding = await found('public', {
      settings: behindProxy(await proxy({ responses: without('svc-request-id', 'www-authenticate') })),
    })
    expect(hiding).toMatchObject([
      { check: 'proxy-strips-response-headers', problem: expect.stringContaining('svc-request-id, WWW-Authenticate') },
    ])
    expect(await checksOf('public', behindProxy(await proxy({}), '2'))).toEqual(['proxy-count'])
    expect(await checksOf('public', behindProxy(await proxy({}), '0'))).toEqual(['proxy-count'])
    expect(await checksOf('public', behindProxy(await proxy({ requests: without('x-forwarded-for') })))).toEqual([
      'proxy-count',
    ])
  })

  it('a certificate of the public URL that expires within two weeks is found', async () => {
    const { authority } = sound.certificates
    const { certificate, key } = await authority.issueServer(LOCAL_HOSTS, validFor(5))
    const port = await listen(
      createHttps({ cert: certificate, key }, (_request, response) => void response.end('{"status":"alive"}')),
    )
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, authority.certificate])
    try {
      const checks = await checksOf('public', behindProxy(`https://127.0.0.1:${port}`))
      expect(checks).toContain('public-certificate-expires')
    } finally {
      setDefaultCACertificates(trusted)
    }
  })

  it('public-not-havn: another program at the URL is found', async () => {
    const port = await listen(createHttp((_request, response) => void response.end('<h1>It works!</h1>')))
    expect(await checksOf('public', behindProxy(`http://127.0.0.1:${port}`))).toEqual(['public-not-havn'])
  })
})

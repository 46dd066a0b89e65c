/** Has the XS2A server speak TLS and ask callers for a certificate; whether that is good, the bank decides by itself. */
import { createServer } from 'node:https'
import type { FastifyServerFactory } from 'fastify'

/** What the server shows, and whom it believes; all in PEM. */
export type TrustSettings = {
  readonly certificate: string
  readonly key: string
  /** Authorities whose client certificates are good. */
  readonly clientAuthorities: string
}

/** Makes the server. */
export function trustedServer({ certificate, key, clientAuthorities }: TrustSettings): FastifyServerFactory {
  return (handle) =>
    createServer(
      {
        cert: certificate,
        key,
        ca: clientAuthorities,
        minVersion: 'TLSv1.2',
        requestCert: true,
        // A refused handshake would tell a caller nothing: the standard has codes for what is wrong.
        rejectUnauthorized: false,
      },
      handle,
    )
}

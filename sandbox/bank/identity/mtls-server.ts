/** Creates the TLS server of XS2A, which requests client certificates and leaves their validation to the bank. */
import type { RequestListener, ServerOptions } from 'node:http'
import { createServer, type Server } from 'node:https'

/** The server's certificate and the accepted client authorities; all in PEM. */
export type MtlsSettings = {
  readonly certificate: string
  readonly key: string
  /** Authorities of accepted client certificates. */
  readonly clientAuthorities: string
}

export function createMtlsServer(
  { certificate, key, clientAuthorities }: MtlsSettings,
  options: ServerOptions,
  handle: RequestListener,
): Server {
  return createServer(
    {
      ...options,
      cert: certificate,
      key,
      ca: clientAuthorities,
      minVersion: 'TLSv1.2',
      requestCert: true,
      // A failed handshake has no error code: the standard defines codes for invalid certificates.
      rejectUnauthorized: false,
    },
    handle,
  )
}

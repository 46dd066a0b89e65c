/** Selects the headers that say how a request was meant; what may hold anything is masked. */
import type { Exchange } from '../platform/http/operations/served-operation.ts'
import { isId } from '../platform/ids.ts'
import { REDACTED } from '../platform/mask-tokens.ts'

const MEDIA_TYPES =
  /^(\*\/\*|(application\/(json|xml|x-www-form-urlencoded|problem\+json)|text\/(csv|plain|html|xml)|multipart\/form-data)(; ?charset=utf-8)?)$/i
const MEDIA_RANGE_QUALITY = /; ?q=[01](\.\d{1,3})?$/
/** The program without its comments: those name machines and users. */
const PROGRAM =
  /^(havn-client(-python)?|curl|node|undici|axios|got|python-httpx|python-requests|aiohttp|okhttp|Java|Java-http-client|Apache-HttpClient|Go-http-client|PostmanRuntime|insomnia|Mozilla|RestSharp|GuzzleHttp)(\/\d{1,3}(\.\d{1,5}){0,3})?(?= |$)/i

type Show = (value: string) => string

const mediaTypes: Show = (value) => {
  const types = value.split(',').map((type) => type.trim().replace(MEDIA_RANGE_QUALITY, ''))
  return types.every((type) => MEDIA_TYPES.test(type)) ? types.join(', ') : REDACTED
}

/** By lower-case name. Of those of the user, only their presence is stored. */
const SHOWN: Readonly<Record<string, Show>> = {
  'consent-id': (value) => (isId(value) ? value : REDACTED),
  'content-type': mediaTypes,
  accept: mediaTypes,
  'user-agent': (value) => PROGRAM.exec(value)?.[0] ?? REDACTED,
  'psu-ip-address': () => REDACTED,
  'psu-user-agent': () => REDACTED,
}

export function shownHeaders(headers: Exchange['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(SHOWN).flatMap(([name, show]) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, show(value)]] : []
    }),
  )
}

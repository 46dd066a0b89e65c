/** Reads single settings from an environment, and collects errors instead of stopping at the first. */
import { isIP } from 'node:net'

/** The source of settings, normally the environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A certificate and its key, each in PEM. */
export type CertificateSource = { readonly certificate: PemSource; readonly key: PemSource }
/** A file that is read again when it changes, or the text itself. */
export type PemSource = { readonly file: string } | { readonly text: string }

const WHOLE_NUMBERS = [0, 999_999_999] as const

/** The variable that names a file, and the one that holds the text. */
type PemNames = readonly [file: string, text: string]

/** A reader that adds its errors to `errors`. */
export function environmentReader(environment: Environment, errors: string[]) {
  const given = (name: string) => environment[name]?.trim() || undefined
  const url = (name: string, text: string) => {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      errors.push(`${name} must be an http or https URL, not "${text}"`)
    }
    return text.replace(/(?<!\/)\/+$/, '')
  }
  const pem = ([fileName, textName]: PemNames): PemSource | null => {
    const [file, text] = [given(fileName), given(textName)]
    if (file !== undefined && text !== undefined) {
      errors.push(`${fileName} and ${textName} are both set: set only one of them`)
    }
    return file !== undefined ? { file } : text !== undefined ? { text } : null
  }
  return {
    text: (name: string, defaultValue: string) => given(name) ?? defaultValue,
    required: (name: string, meaning: string) => {
      const text = given(name)
      if (text === undefined) {
        errors.push(`${name} is missing: ${meaning}`)
      }
      return text ?? ''
    },
    integer: (name: string, defaultValue: number, [min, max]: readonly [number, number] = WHOLE_NUMBERS) => {
      const text = given(name) ?? String(defaultValue)
      if (!/^\d{1,9}$/.test(text)) {
        errors.push(`${name} must be a whole number, not "${text}"`)
      } else if (Number(text) < min || Number(text) > max) {
        errors.push(`${name} must be between ${min} and ${max}, not ${text}`)
      }
      return Number(text)
    },
    oneOf: <const Choice extends string>(name: string, choices: readonly Choice[], defaultValue: Choice): Choice => {
      const text = given(name) ?? defaultValue
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) {
        errors.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
      }
      return choice ?? defaultValue
    },
    networks: (name: string): readonly string[] => {
      const networks = listIn(given(name) ?? '')
      for (const network of networks.filter((item) => !isNetwork(item))) {
        errors.push(`${name} must be a comma-separated list of networks such as 10.0.0.0/8, not "${network}"`)
      }
      return networks
    },
    /** A secret, by the variable that names its file or the one that holds it. */
    secret: (names: PemNames): PemSource | null => pem(names),
    certificate: (
      use: string,
      names: { readonly certificate: PemNames; readonly key: PemNames },
    ): CertificateSource | null => {
      const [certificate, key] = [pem(names.certificate), pem(names.key)]
      if ((certificate === null) !== (key === null)) {
        const [file, text] = certificate === null ? names.certificate : names.key
        errors.push(`The ${use} needs a certificate and a key: ${file} or ${text} is missing`)
      }
      return certificate === null || key === null ? null : { certificate, key }
    },
    url: (name: string, defaultValue: string) => url(name, given(name) ?? defaultValue),
    optionalUrl: (name: string) => {
      const text = given(name)
      return text === undefined ? null : url(name, text)
    },
  }
}

/** The items of a comma-separated list. */
function listIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

/** An address and a prefix length. */
function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

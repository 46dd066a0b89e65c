/** Reads single settings out of an environment, and collects what is wrong with them instead of stopping at the first. */
import { isIP } from 'node:net'

/** Where settings come from. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A certificate and its key, each in PEM. */
export type CertificateSource = { readonly certificate: PemSource; readonly key: PemSource }
/** A file that is read again when it changes, or the text itself. */
export type PemSource = { readonly file: string } | { readonly text: string }

const WHOLE_NUMBERS = [0, 999_999_999] as const

/** The setting that names a file, and the one that holds the text. */
type PemNames = readonly [file: string, text: string]

/** A reader that adds to `problems` whatever it finds wrong, and goes on. */
export function readerOf(environment: Environment, problems: string[]) {
  const given = (name: string) => environment[name]?.trim() || undefined
  const url = (name: string, text: string) => {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      problems.push(`${name} must be an http or https address, not "${text}"`)
    }
    return text.replace(/\/+$/, '')
  }
  const pem = ([fileName, textName]: PemNames): PemSource | null => {
    const [file, text] = [given(fileName), given(textName)]
    if (file !== undefined && text !== undefined) {
      problems.push(`Both ${fileName} and ${textName} are given: one of them is enough`)
    }
    return file !== undefined ? { file } : text !== undefined ? { text } : null
  }
  return {
    text: (name: string, otherwise: string) => given(name) ?? otherwise,
    required: (name: string, meaning: string) => {
      const text = given(name)
      if (text === undefined) {
        problems.push(`${name} is missing: ${meaning}`)
      }
      return text ?? ''
    },
    integer: (name: string, otherwise: number, [least, most]: readonly [number, number] = WHOLE_NUMBERS) => {
      const text = given(name) ?? String(otherwise)
      if (!/^\d{1,9}$/.test(text)) {
        problems.push(`${name} must be a whole number, not "${text}"`)
      } else if (Number(text) < least || Number(text) > most) {
        problems.push(`${name} must be between ${least} and ${most}, not ${text}`)
      }
      return Number(text)
    },
    oneOf: <const Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice => {
      const text = given(name) ?? otherwise
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) {
        problems.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
      }
      return choice ?? otherwise
    },
    networks: (name: string): readonly string[] => {
      const networks = listIn(given(name) ?? '')
      for (const network of networks.filter((each) => !isNetwork(each))) {
        problems.push(`${name} must list networks such as 10.0.0.0/8, with commas between them, not "${network}"`)
      }
      return networks
    },
    /** A secret, by the setting that names its file or the one that holds it. */
    secret: (names: PemNames): PemSource | null => pem(names),
    certificate: (
      use: string,
      names: { readonly certificate: PemNames; readonly key: PemNames },
    ): CertificateSource | null => {
      const [certificate, key] = [pem(names.certificate), pem(names.key)]
      if ((certificate === null) !== (key === null)) {
        const [file, text] = certificate === null ? names.certificate : names.key
        problems.push(`The ${use} needs its certificate and its key: ${file} or ${text} is missing`)
      }
      return certificate === null || key === null ? null : { certificate, key }
    },
    url: (name: string, otherwise: string) => url(name, given(name) ?? otherwise),
    optionalUrl: (name: string) => {
      const text = given(name)
      return text === undefined ? null : url(name, text)
    },
  }
}

/** What stands between commas. */
function listIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

/** An address, a slash, and how many bits of it name the network. */
function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

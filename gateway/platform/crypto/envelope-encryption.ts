/** Encrypts secrets at rest: AES-256-GCM under a data key per record, which is itself encrypted with a master key. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The master keys by id; the first one encrypts, all decrypt. */
export type MasterKeys = readonly { readonly id: string; readonly key: Buffer }[]

/**
 * Encrypts and decrypts. The purpose is bound to the record: a record sealed for one purpose cannot be opened for
 * another.
 */
export type Seal = {
  seal(plain: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
  /** The header of a record as it is under the newest master key; what follows, the ciphertext, stays as it is. */
  resealHeader(header: Buffer, purpose: string): Buffer
  /** The prefix of every record under the newest master key. */
  readonly prefix: Buffer
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const WRAPPED_KEY_BYTES = IV_BYTES + TAG_BYTES + KEY_BYTES
const FORMAT = 1
const ID_BYTES = 8
/** Of the header: format, id of the master key, and data key. */
export const HEADER_BYTES = 1 + ID_BYTES + WRAPPED_KEY_BYTES
const ID = /^[\x21-\x7e]{1,8}$/

/**
 * Parses a key file: one `id:base64` per line, newest first; ids are unique and have at most eight ASCII characters.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', encoded = ''] = line.split(':')
      return { id, key: Buffer.from(encoded, 'base64') }
    })
  if (keys.length === 0 || keys.some(({ id, key }) => !ID.test(id) || key.length !== KEY_BYTES)) {
    throw new Error('The master key file needs lines of the form id:base64, each with an id and 32 bytes')
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new Error('The master key file contains a duplicate id')
  }
  return keys
}

/** Creates a new line for the key file. */
export function generateMasterKeyLine(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`
}

/** Creates the seal of a set of master keys. Throws without a key. */
export function createSeal(masterKeys: MasterKeys): Seal {
  const [newest] = masterKeys
  if (newest === undefined) {
    throw new Error('Encryption requires at least one master key')
  }
  const prefix = Buffer.concat([Buffer.from([FORMAT]), Buffer.from(newest.id.padEnd(ID_BYTES, '\0'), 'utf8')])
  const newestKey = wrappingKeyOf(newest.key)
  const wrappingKeys = new Map(masterKeys.map(({ id, key }) => [id, wrappingKeyOf(key)]))
  const unwrap = (sealed: Buffer, purpose: string): Buffer => {
    const id = sealed
      .subarray(1, 1 + ID_BYTES)
      .toString('utf8')
      .replaceAll('\0', '')
    const wrappingKey = wrappingKeys.get(id)
    if (sealed[0] !== FORMAT || wrappingKey === undefined) {
      throw new Error(`A record is sealed under master key "${id}", which the key file does not hold`)
    }
    return decrypt(sealed.subarray(1 + ID_BYTES, HEADER_BYTES), wrappingKey, purpose)
  }
  return {
    prefix,
    seal: (plain, purpose) => {
      // A call of the generator takes longer than encrypting a short text: one for the key and both nonces.
      const random = randomBytes(KEY_BYTES + 2 * IV_BYTES)
      const dataKey = random.subarray(2 * IV_BYTES)
      const wrappedKey = encrypt(dataKey, newestKey, purpose, random.subarray(0, IV_BYTES))
      const body = encrypt(Buffer.from(plain, 'utf8'), dataKey, purpose, random.subarray(IV_BYTES, 2 * IV_BYTES))
      return Buffer.concat([prefix, wrappedKey, body])
    },
    open: (sealed, purpose) =>
      decrypt(sealed.subarray(HEADER_BYTES), unwrap(sealed, purpose), purpose).toString('utf8'),
    resealHeader: (header, purpose) =>
      Buffer.concat([prefix, encrypt(unwrap(header, purpose), newestKey, purpose, randomBytes(IV_BYTES))]),
  }
}

/** The master key itself encrypts nothing; a key derived from it wraps data keys. */
function wrappingKeyOf(master: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), 'havn data key wrapping', KEY_BYTES))
}

function encrypt(plain: Buffer, key: Buffer, purpose: string, iv: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose, 'utf8'))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function decrypt(sealed: Buffer, key: Buffer, purpose: string): Buffer {
  const iv = sealed.subarray(0, IV_BYTES)
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose, 'utf8'))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}

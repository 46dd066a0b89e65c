/** Tests encryption: a ciphertext decrypts only completely, only for its purpose, and also after key rotation. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/any-character.ts'
import { createSeal, generateMasterKeyLine, HEADER_BYTES, parseMasterKeys } from './envelope-encryption.ts'

const [oldLine, newLine] = [generateMasterKeyLine('key-1'), generateMasterKeyLine('key-2')]
const old = createSeal(parseMasterKeys(oldLine))
const rotated = createSeal(parseMasterKeys(`${newLine}\n${oldLine}\n`))
const onlyNew = createSeal(parseMasterKeys(newLine))
const text = fc.string({ unit: anyCharacter, maxLength: 200 }).filter((one) => one.isWellFormed())

describe('an encrypted text', () => {
  it('decrypts unchanged, for any text', () => {
    fc.assert(
      fc.property(text, text, (plain, purpose) => {
        expect(old.open(old.seal(plain, purpose), purpose)).toBe(plain)
      }),
    )
  })

  it('does not decrypt for another purpose', () => {
    fc.assert(
      fc.property(text, text, text, (plain, purpose, other) => {
        fc.pre(purpose !== other)
        expect(() => old.open(old.seal(plain, purpose), other)).toThrow()
      }),
    )
  })

  it('does not decrypt when any single bit of it was changed', () => {
    const sealed = old.seal('01815012345', 'user')
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => old.open(changed, 'user'), `bit ${bit}`).toThrow()
    }
  })

  it('does not decrypt when it was truncated, or when its halves come from two records', () => {
    const [one, other] = [old.seal('01815012345', 'user'), old.seal('02825054321', 'user')]
    for (let length = 0; length < one.length; length += 1) {
      expect(() => old.open(one.subarray(0, length), 'user'), `${length} bytes`).toThrow()
    }
    const header = one.length - '01815012345'.length - 28
    expect(() => old.open(Buffer.concat([one.subarray(0, header), other.subarray(header)]), 'user')).toThrow()
  })

  it('shows nothing of its text, and never has the same ciphertext twice', () => {
    const sealed = [old.seal('01815012345', 'user'), old.seal('01815012345', 'user')]
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false)
    expect(sealed.some((one) => one.includes('01815012345'))).toBe(false)
  })
})

describe('a rotated master key', () => {
  it('encrypts with the newest key and still decrypts with the older one', () => {
    expect(rotated.open(old.seal('secret', 'x'), 'x')).toBe('secret')
    expect(onlyNew.open(rotated.seal('secret', 'x'), 'x')).toBe('secret')
    expect(() => old.open(rotated.seal('secret', 'x'), 'x')).toThrow('sealed under master key "key-2"')
  })

  it('re-encrypts a record, after which the older key is not needed', () => {
    fc.assert(
      fc.property(text, text, (plain, purpose) => {
        const sealed = old.seal(plain, purpose)
        expect(() => onlyNew.open(sealed, purpose)).toThrow('sealed under master key "key-1"')
        const header = rotated.resealHeader(sealed.subarray(0, HEADER_BYTES), purpose)
        expect(onlyNew.open(Buffer.concat([header, sealed.subarray(HEADER_BYTES)]), purpose)).toBe(plain)
      }),
    )
  })

  it('re-encrypts nothing that was tampered with or belongs to another purpose', () => {
    expect(() => rotated.resealHeader(old.seal('secret', 'x'), 'y')).toThrow()
  })
})

describe('a key file', () => {
  it('may have empty lines and spaces around its lines', () => {
    expect(parseMasterKeys(`\n  ${newLine}  \n\n${oldLine}\n`).map(({ id }) => id)).toEqual(['key-2', 'key-1'])
  })

  it.each([
    ['is empty', ''],
    ['has a line without a key', 'key-1'],
    ['has a key that is too short', `key-1:${Buffer.alloc(16).toString('base64')}`],
    ['has an id that is too long', generateMasterKeyLine('123456789')],
    ['has an id with multi-byte letters', generateMasterKeyLine('nøkkel')],
    ['has no id', generateMasterKeyLine('')],
  ])('is rejected when it %s', (_how, file) => {
    expect(() => parseMasterKeys(file)).toThrow('lines of the form id:base64')
  })

  it('is rejected when two keys have one id, since one of them would never decrypt anything', () => {
    expect(() => parseMasterKeys(`${generateMasterKeyLine('key-1')}\n${generateMasterKeyLine('key-1')}`)).toThrow(
      'duplicate id',
    )
  })
})

/** Holds account numbers and references of each country, valid and invalid ones. No account is that of a real customer. */

export type NationalSamples = {
  readonly currency: string
  /** An account that payments may go to, of a receiver that the sandbox knows. */
  readonly creditor: { readonly bban: string; readonly name: string }
  /** Each with what is wrong. */
  readonly invalidAccounts: readonly (readonly [bban: string, fault: string])[]
  /** Type and value of references for `validateRemittance`. */
  readonly validReferences: readonly (readonly [type: 'ocr' | 'fik', value: string])[]
  readonly invalidReferences: readonly (readonly [type: 'ocr' | 'fik', value: string, fault: string])[]
}

export const NATIONAL_SAMPLES: Readonly<Record<string, NationalSamples>> = {
  NO: {
    currency: 'NOK',
    creditor: { bban: '80501200011', name: 'Granli Trelast AS' },
    invalidAccounts: [
      ['80501200012', 'wrong check digit'],
      ['8050120001', 'too short'],
      ['805012000111', 'too long'],
      ['8050120001X', 'a letter'],
    ],
    validReferences: [['ocr', '2345676']],
    invalidReferences: [
      ['ocr', '2345675', 'wrong check digit'],
      ['ocr', '1', 'too short'],
      ['ocr', '12345678901234567890123456', 'more than 25 digits'],
    ],
  },
  SE: {
    currency: 'SEK',
    creditor: { bban: '79902000010', name: 'Granskog Trä AB' },
    invalidAccounts: [
      ['123', 'too short'],
      ['7990200001X', 'a letter'],
    ],
    validReferences: [['ocr', '1234567897']],
    invalidReferences: [
      ['ocr', '1234567896', 'wrong check digit'],
      ['ocr', '12345678901234567890123456', 'more than 25 digits'],
    ],
  },
  DK: {
    currency: 'DKK',
    creditor: { bban: '59600001200011', name: 'Bøgelund Tømmer A/S' },
    invalidAccounts: [
      ['123', 'too short'],
      ['596000012000111', 'too long'],
      ['5960000120001X', 'a letter'],
    ],
    validReferences: [['fik', '+71<000000000000018+81234567']],
    invalidReferences: [['fik', '+71<000000000000019+81234567', 'wrong check digit']],
  },
  FI: {
    currency: 'EUR',
    creditor: { bban: '40550002000012', name: 'Kuusela Puu Oy' },
    invalidAccounts: [
      ['40550002000013', 'wrong check digit'],
      ['FI1240550002000012', 'wrong check digits of the IBAN'],
      ['123', 'too short'],
    ],
    validReferences: [
      ['ocr', '1232'],
      ['ocr', 'RF111232'],
    ],
    invalidReferences: [
      ['ocr', '1233', 'wrong check digit'],
      ['ocr', 'RF121232', 'wrong check digits of the RF reference'],
    ],
  },
}

/** Describes remittance information: a message, an OCR reference, or a Danish FIK form. */
import { type Static, type TUnsafe, Type } from 'typebox'
import { codeForEveryKeyword } from '../errors/error-codes.ts'
import { nonBlankText, requiringFields, TEXT_CHARACTERS_MAX, taggedUnion } from '../shapes.ts'

const invalid = codeForEveryKeyword('InvalidRemittanceInfo')
const filled = (description: string) => nonBlankText(TEXT_CHARACTERS_MAX.remittance, description, invalid)

export const MessageRemittance = Type.Object(
  {
    type: Type.Literal('message', { description: 'A free text.' }),
    value: filled("The text shown to the receiver; see the bank's constraints for length and characters."),
    debtorReference: Type.Optional(
      filled('A text shown to the debtor only, where the bank supports it: 20 characters, 35 in Finland.'),
    ),
  },
  { title: 'MessageRemittance', description: 'A message.' },
)

export const OcrRemittance = Type.Object(
  {
    type: Type.Literal('ocr', { description: 'A reference that the receiver assigned.' }),
    value: filled('The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland.'),
  },
  { title: 'OcrRemittance', description: 'A reference; must be used when the receiving account is an OCR account.' },
)

const fikType = Type.Literal('fik', { description: 'A Danish payment form.' })

const FikLine = Type.Object({
  type: fikType,
  value: filled('The printed line, for example `+71<000000000000018+81234567`.'),
})

const FikParts = Type.Object({
  type: fikType,
  cardType: Type.Enum(['01', '04', '15', '71', '73', '75'], { invalid, description: 'The type of form.' }),
  paymentId: Type.Optional(filled('The identification of the payment, for the kinds that have one.')),
  creditorNumber: filled("The receiver's creditor or giro number."),
  message: Type.Optional(filled('A text to the receiver, for the kinds that have one.')),
})

/** Both forms in one schema, so that a FIK that is neither is reported once and not once for each form. */
export const FikRemittance: TUnsafe<Static<typeof FikLine> | Static<typeof FikParts>> = Type.Unsafe({
  title: 'FikRemittance',
  description: 'A Danish payment form: either its printed line in `value`, or its parts.',
  type: 'object',
  required: ['type'],
  properties: { ...FikLine.properties, ...FikParts.properties },
  anyOf: [FikLine, FikParts].map(({ required }) => requiringFields(required)),
  invalid: { anyOf: 'InvalidRemittanceInfo' },
})

export const RemittanceInformation = taggedUnion('type', [MessageRemittance, OcrRemittance, FikRemittance], {
  title: 'RemittanceInformation',
  description: 'The remittance information.',
  invalid: { type: 'InvalidRemittanceInfo', discriminator: 'InvalidRemittanceInfo' },
})
export type RemittanceInformation = Static<typeof RemittanceInformation>

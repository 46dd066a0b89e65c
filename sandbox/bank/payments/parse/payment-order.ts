/** The schema of a single payment order in the format of the standard. */
import { type Static, Type } from 'typebox'

/** Maximum number of lines in a message. */
const MESSAGE_LINES_MAX = 40

export const AccountReference = Type.Object({
  iban: Type.Optional(Type.String()),
  /** Alphanumeric by the standard; at some banks giro numbers contain a blank and a hyphen. */
  bban: Type.Optional(Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9 -]{0,29}$' })),
  other: Type.Optional(
    Type.Object({
      identification: Type.String({ minLength: 1, maxLength: 35 }),
      schemeNameProprietary: Type.Optional(Type.String({ maxLength: 35 })),
    }),
  ),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})

const Address = Type.Object({
  streetName: Type.Optional(Type.String({ maxLength: 70 })),
  buildingNumber: Type.Optional(Type.String({ maxLength: 20 })),
  townName: Type.Optional(Type.String({ maxLength: 160 })),
  /** The name of SpareBank 1's product for the town. */
  city: Type.Optional(Type.String({ maxLength: 160 })),
  postCode: Type.Optional(Type.String({ maxLength: 14 })),
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
})

export const StructuredRemittance = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 35 }),
  referenceType: Type.Optional(Type.String({ maxLength: 35 })),
  referenceIssuer: Type.Optional(Type.String({ maxLength: 35 })),
})
const Text = Type.String({ minLength: 1, maxLength: 140 })

export const PaymentOrder = Type.Object({
  endToEndIdentification: Type.Optional(Type.String({ maxLength: 35 })),
  debtorAccount: AccountReference,
  instructedAmount: Type.Object({
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    amount: Type.String({ pattern: '^-?[0-9]{1,14}(\\.[0-9]{1,3})?$' }),
  }),
  creditorAccount: AccountReference,
  creditorName: Type.Optional(Type.String({ minLength: 1, maxLength: 70 })),
  creditorAgent: Type.Optional(Type.String({ pattern: '^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$' })),
  creditorAddress: Type.Optional(Address),
  remittanceInformationUnstructured: Type.Optional(Text),
  remittanceInformationUnstructuredArray: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: MESSAGE_LINES_MAX })),
  remittanceInformationStructured: Type.Optional(Type.Union([Text, StructuredRemittance])),
  remittanceInformationStructuredArray: Type.Optional(Type.Array(StructuredRemittance, { minItems: 1, maxItems: 1 })),
  purposeCode: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{4}$' })),
  chargeBearer: Type.Optional(Type.String({ minLength: 1, maxLength: 4 })),
  requestedExecutionDate: Type.Optional(Type.String()),
  /** The fields from here on are bank-specific: the standard's core does not define them. */
  creditorAgentClearingCode: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{3,14}$' })),
  regulatoryReportingCode: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
  regulatoryReportingInformation: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
})
export type PaymentOrder = Static<typeof PaymentOrder>
export type StructuredRemittance = Static<typeof StructuredRemittance>
export type AccountReference = Static<typeof AccountReference>

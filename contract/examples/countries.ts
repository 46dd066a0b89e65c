/** Examples of the operations on receiver countries. */

import type { ExamplesById } from '../operations.ts'

export const countryExamples = {
  listCountries: [
    {
      summary: 'Some receiver countries',
      answer: [
        { country: 'DE', name: 'Germany', currencies: ['EUR', 'USD'], supported: true },
        { country: 'IR', name: 'Iran', currencies: [], supported: false },
        { country: 'US', name: 'United States', currencies: ['USD'], supported: true },
      ],
    },
  ],
  getPaymentRequirement: [
    {
      summary: 'Rupees to India',
      params: { country: 'IN' },
      query: { currency: 'INR' },
      answer: {
        country: 'IN',
        name: 'India',
        supported: true,
        currencies: [{ currency: 'INR', maxAmount: { amount: '1500000.00', currency: 'INR' }, dueDateMaxDays: 2 }],
        account: { identifier: 'bban', pattern: '^[0-9A-Za-z]{6,20}$', example: '50100123456789' },
        bic: { required: true },
        clearingCode: {
          required: true,
          scheme: 'INFSC',
          name: 'IFSC',
          pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
          example: 'HDFC0000123',
        },
        address: {
          requiredFields: ['streetName', 'buildingNumber', 'city', 'postCode', 'country'],
          bankFields: ['streetName', 'city', 'postCode', 'country'],
          postCodePattern: '^[1-9][0-9]{2} ?[0-9]{3}$',
          postCodeExample: '400001',
        },
        additionalInformation: [
          {
            type: 'Purpose',
            required: true,
            example: 'goods',
            values: [
              { code: 'goods', description: 'Trade settlement for goods and general goods trades' },
              { code: 'services', description: 'Information service charges' },
            ],
          },
        ],
        remittanceInformation: {
          maxLength: 140,
          pattern: "^(?! *$)(?! *\\/)(?!.*\\/\\/)(?!.*\\/ *$)[a-zA-Z0-9\\/\\-?:\\(\\).,'+ ]{1,140}$",
        },
        notes: ['Trade is limited to 1 500 000 INR a day.', 'These requirements are sourced.'],
      },
    },
    {
      summary: 'A country to which payments are not supported',
      params: { country: 'IR' },
      answer: {
        country: 'IR',
        name: 'Iran',
        supported: false,
        currencies: [],
        additionalInformation: [],
        notes: ['Payments to this country are not supported.'],
      },
    },
  ],
  listRegulatoryCodes: [
    {
      summary: 'Two codes of Norway',
      params: { countryCode: 'NO' },
      answer: {
        countryCode: 'NO',
        threshold: { amount: '100000.00', currency: 'NOK' },
        informationMaxLength: 35,
        codes: [
          { code: '14', description: 'Purchase/sale of goods', localDescription: 'Kjøp/salg av varer' },
          {
            code: '29',
            description: 'Other purchase/sale of services',
            localDescription: 'Annet kjøp/salg av tjenester',
          },
        ],
      },
    },
  ],
} satisfies Partial<ExamplesById>

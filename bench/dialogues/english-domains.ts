import type { Domain } from './domains.js';

const ENGLISH = {
  greetings: ['Hi', 'Hello there', 'Good morning', 'hey', 'Hi, is anybody there?', 'Good afternoon'],
  offers: [
    'Hello, how can I help you today?',
    'Welcome! What can I do for you?',
    'Hi, you are talking to Mara. How may I assist you?',
  ],
  acknowledgements: ['ok', 'Great, thanks', 'sure', 'Perfect', 'okay, I will wait', 'Alright, thank you', 'got it'],
  further: [
    'Is there anything else I can do for you?',
    'Done. Anything else today?',
    'Can I help you with anything else?',
  ],
  closings: [
    'No, that is all. Thanks!',
    'nothing else, thank you',
    "No thanks, you've been very helpful. Have a nice day",
    'nope, bye',
    'not at the moment, thanks',
    'That was everything, cheers',
  ],
} as const;

export const ENGLISH_DOMAINS: readonly Domain[] = [
  {
    name: 'broadband',
    ...ENGLISH,
    questions: [
      ['May I have your customer number, please?', ['48 213 77', 'it is 5582019', 'C-20419', 'one moment... 774120']],
      [
        'Please tell me the address of the connection.',
        ['14 Mill Lane, Norwich', '7 Harbour Road, Bristol BS1', 'Flat 3, 22 Station Street'],
      ],
      ['And your full name?', ['Olga Petersen', "I'm Samuel Ortiz", 'Ben Achebe', 'priya nair']],
      ['Which number can we reach you at?', ['07700 900412', '020 7946 0812 after six', '07700900788']],
    ],
    intents: {
      'report outage': {
        openings: [
          'My internet has been down since this morning',
          'There is no connection at all at my house',
          'we have no internet, the whole street seems to be offline',
          'The line is dead again and nothing loads',
          'Is there an outage in my area?',
          'The internet went off last night and has not come back',
        ],
        additions: [
          'I work from home and need it today.',
          'The lamp on the box is red.',
          'It happened last week as well.',
        ],
        questions: [['Which lights are on at the router?', ['only the red one', 'power is green, the rest is off']]],
      },
      'slow connection': {
        openings: [
          'The speed is far below what I pay for',
          'My broadband is terribly slow in the evening',
          'why is my internet so slow?',
          'Downloads crawl at two megabits',
          'Films keep buffering because the speed is so low',
          'I only get a tenth of the promised speed',
        ],
        additions: ['I measured it several times.', 'It was fine until May.'],
        questions: [['Do you use a cable or the wireless network?', ['wireless', 'with a cable, on the laptop']]],
      },
      'move contract': {
        openings: [
          'I am moving house and want to take my contract with me',
          'We move to another flat in June, can the connection come along?',
          'How do I transfer my broadband to a new address?',
          'Please move my internet to our new home',
          'I want to relocate my line because we are moving',
        ],
        additions: ['We get the keys on the first.', 'It is in the same town.'],
        questions: [['When do you move in?', ['on 1 June', 'the last weekend of the month']]],
      },
      'cancel contract': {
        openings: [
          'I want to cancel my contract',
          'How can I terminate my broadband contract?',
          'Please end my subscription at the next possible date',
          'I would like to give notice, I am leaving for another provider',
          'cancel my internet contract please',
          'What is the notice period if I want to quit?',
        ],
        additions: ['I found a cheaper offer.', 'The term is over in August.'],
        questions: [['May I ask for the reason?', ['too expensive', 'I move abroad', 'just do not need it any more']]],
      },
      'dispute bill': {
        openings: [
          'My bill is much higher than usual',
          'I was charged twice this month',
          'Why is there a fee of nine pounds on my invoice?',
          'There is an amount on the bill that I do not understand',
          'The last invoice is wrong, I never ordered television',
          'you billed me too much',
        ],
        additions: ['I expected thirty pounds.', 'I have the invoice in front of me.'],
        questions: [['Which month is it about?', ['March', 'the one of last month']]],
      },
      'book technician': {
        openings: [
          'Can you send a technician to my house?',
          'I need an appointment with an engineer',
          'When will the technician come? Nobody turned up',
          'I would like to move the engineer visit to another day',
          'Somebody should come and repair the socket in the wall',
        ],
        additions: ['I am at home in the afternoon.', 'I took a day off for it.'],
        questions: [['Would Tuesday or Thursday suit you?', ['Thursday', 'Tuesday before noon']]],
      },
      'set up router': {
        openings: [
          'How do I set up the new router?',
          'I cannot get the router to work that you sent me',
          'What is the password of the wireless network on my router?',
          'I need help with the installation of the modem',
          'The new modem asks for a key during setup',
        ],
        additions: ['It is the white model.', 'I followed the leaflet.'],
        questions: [['Which model is it?', ['HX 20', 'the white one with two antennas']]],
      },
    },
  },
  {
    name: 'bookshop',
    ...ENGLISH,
    questions: [
      ['What is your order number?', ['20418', 'order 77-1204', 'B20991', 'I think 30412']],
      ['Can you tell me the e-mail address of your account?', ['it is nora@example.org', 'samuel.o@example.com']],
      ['Could you confirm your name?', ['Nora Lindqvist', 'yes, Samuel Ortiz', 'Ade Bello']],
    ],
    intents: {
      'track order': {
        openings: [
          'Where is my order?',
          'My parcel has not arrived yet',
          'The books should have been here on Monday, where are they?',
          'I have been waiting for my delivery for two weeks',
          'Can you track my parcel?',
          'The tracking has not moved for days',
        ],
        additions: ['It is a present.', 'I ordered ten days ago.'],
        questions: [['Which carrier brings it?', ['no idea', 'the post']]],
      },
      'report damage': {
        openings: [
          'The book arrived with a torn cover',
          'My copy is damaged, pages are missing',
          'I got a book with water stains',
          'The spine of the atlas is broken',
          'It came with bent corners and a crushed box',
        ],
        additions: ['I can send a photo.', 'The parcel was wet.'],
        questions: [['Which title is it?', ['the atlas', 'a cookery book']]],
      },
      'return item': {
        openings: [
          'I want to return a book',
          'How can I send back my order?',
          'Can I give the novel back? I already own it',
          'What do I have to do to return something and get my money back?',
          'I need a return label',
        ],
        additions: ['It is still wrapped.', 'I bought it by mistake.'],
        questions: [['Has it been opened?', ['no', 'only the wrapping']]],
      },
      'change delivery address': {
        openings: [
          'I typed a wrong address in my order',
          'Can you change the delivery address?',
          'Please deliver to my office instead of my home',
          'I need to correct the street of my shipping address',
          'The address for the delivery must be changed, I have moved',
        ],
        additions: ['I noticed it only now.'],
        questions: [['What is the right address?', ['9 Garden Row, Leeds', '31 Kings Parade']]],
      },
      'cancel order': {
        openings: [
          'I would like to cancel my order',
          'Please cancel what I ordered this morning',
          'can I still cancel an order that was not shipped?',
          'Stop my order please, I found it elsewhere',
          'How do I cancel a preorder?',
        ],
        additions: ['I clicked too fast.'],
        questions: [['The whole order or one item?', ['the whole thing', 'only the diary']]],
      },
      'use voucher': {
        openings: [
          'My voucher is not accepted at the checkout',
          'The gift card code does not work',
          'How do I redeem a voucher?',
          'It says that my discount code is invalid',
          'I forgot to enter my gift voucher, can you apply it now?',
        ],
        additions: ['It is valid until December.'],
        questions: [['Which code is on it?', ['SPRING20', 'GX-2041-AA']]],
      },
      'get invoice': {
        openings: [
          'I need an invoice for my company',
          'Can you send me a copy of the receipt?',
          'Where do I find the invoice of my purchase?',
          'The receipt was not in the parcel, please send it by mail',
          'I need an invoice with our tax number',
        ],
        additions: ['My accountant asks for it.'],
        questions: [['To which company?', ['Lindqvist Ltd', 'Ortiz and Sons']]],
      },
      'ask availability': {
        openings: [
          'When is the second volume in stock again?',
          'Do you have the new edition of the grammar?',
          'Is this novel available as hardcover?',
          'I am looking for a book that is out of print',
          'Can you tell me whether the calendar will be restocked?',
        ],
        additions: ['The website says sold out.'],
        questions: [['Who is the author?', ['Okafor', 'I do not know']]],
      },
    },
  },
  {
    name: 'clinic',
    ...ENGLISH,
    questions: [
      ['What is your date of birth?', ['12 March 1984', '4/7/1990', '1 June 1961']],
      ['May I have your name, please?', ['Lena Hoff', 'this is Amir Rahimi', 'Rosa Vega']],
      ['And your insurance number?', ['QT 204 118', '99120471', 'I have to look... 88 104 22']],
    ],
    intents: {
      'make appointment': {
        openings: [
          'I need an appointment with the doctor',
          'Can I see somebody this week about my knee?',
          'I would like to make an appointment for a check-up',
          'When is the next free slot with Doctor Brandt?',
          'book me in for a vaccination please',
        ],
        additions: ['Mornings are best.', 'It is rather urgent.'],
        questions: [['Would Friday at nine suit you?', ['yes, Friday is fine', 'rather in the afternoon']]],
      },
      'change appointment': {
        openings: [
          'I have to move my appointment to another day',
          'Can I reschedule the visit of Thursday?',
          'I cannot come tomorrow, is there another date?',
          'Please put my appointment off by a week',
          'I cannot make it at ten, can I come later?',
        ],
        additions: ['Something came up at work.'],
        questions: [['When would you like to come?', ['next Monday', 'any day after the tenth']]],
      },
      'renew prescription': {
        openings: [
          'I need a new prescription for my tablets',
          'My pills have run out, can you renew the prescription?',
          'Could the doctor prescribe the same medicine again?',
          'I would like a repeat prescription for my inhaler',
          'How do I order my medication again?',
        ],
        additions: ['I have two left.'],
        questions: [['Which dose do you take?', ['20 milligrams', 'one in the morning']]],
      },
      'get results': {
        openings: [
          'Are the results of my blood test there?',
          'I am waiting for my laboratory results',
          'When do I get the results of the scan?',
          'Has the lab sent my findings?',
          'I would like to know what came out of my test',
        ],
        additions: ['It was done last Tuesday.'],
        questions: [['When was the test?', ['last Tuesday', 'on the second']]],
      },
      'get certificate': {
        openings: [
          'I need a sick note for my employer',
          'Can you write me a medical certificate?',
          'My school wants a doctor’s note',
          'Please send the certificate that I am unfit for work',
          'How do I get a sick note without coming in?',
        ],
        additions: ['I have been ill since Monday.'],
        questions: [['For which days?', ['Monday to Wednesday', 'the whole week']]],
      },
    },
  },
];

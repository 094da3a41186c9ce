import type { Domain } from './domains.js';

export const GERMAN_DOMAINS: readonly Domain[] = [
  {
    name: 'Stadtwerke (German)',
    greetings: ['Hallo', 'Guten Tag', 'Moin', 'Guten Morgen'],
    offers: ['Guten Tag, wie kann ich Ihnen helfen?', 'Willkommen! Was kann ich für Sie tun?'],
    questions: [
      ['Wie lautet Ihre Kundennummer?', ['4711 208', 'das ist die 88120', 'K-20417']],
      ['Nennen Sie mir bitte Ihre Anschrift.', ['Lindenweg 4, Kassel', 'Am Markt 12']],
      ['Wie ist Ihr Name, bitte?', ['Jonas Ried', 'Fatma Aydin', 'ich heiße Klara Bock']],
    ],
    acknowledgements: ['ok', 'Alles klar', 'gut, danke', 'Prima', 'in Ordnung'],
    further: ['Kann ich sonst noch etwas für Sie tun?', 'Haben Sie noch weitere Fragen?'],
    closings: [
      'Nein, das war alles. Danke!',
      'nichts weiter, vielen Dank',
      'Nein danke, schönen Tag noch',
      'das ist alles, tschüss',
    ],
    intents: {
      'Zählerstand melden': {
        openings: [
          'Ich möchte meinen Zählerstand melden',
          'Wo kann ich den Zählerstand eintragen?',
          'Der Zähler steht auf 20418, wo gebe ich das an?',
          'Ich habe eine Karte zum Ablesen des Zählers bekommen',
        ],
        additions: ['Die Karte kam gestern.'],
        questions: [['Welcher Zähler ist es?', ['Strom', 'der im Keller']]],
      },
      'Abschlag ändern': {
        openings: [
          'Mein Abschlag ist zu hoch',
          'Ich möchte den monatlichen Abschlag senken',
          'Können Sie den Abschlag anpassen?',
          'Warum zahle ich jetzt so viel Abschlag im Monat?',
        ],
        additions: ['Ich verbrauche kaum etwas.'],
        questions: [['Wie viel möchten Sie zahlen?', ['60 Euro', 'so wie vorher']]],
      },
      'Umzug melden': {
        openings: [
          'Ich ziehe um und möchte den Strom mitnehmen',
          'Wir ziehen im Mai in eine neue Wohnung, wie melde ich mich um?',
          'Bitte melden Sie meinen Umzug an',
          'Was muss ich bei einem Umzug tun?',
        ],
        additions: ['Die Übergabe ist am Ersten.'],
        questions: [['Wann ziehen Sie um?', ['am 1. Mai', 'Ende des Monats']]],
      },
      'Vertrag kündigen': {
        openings: [
          'Ich möchte meinen Vertrag kündigen',
          'Wie lange ist die Kündigungsfrist?',
          'Bitte bestätigen Sie meine Kündigung',
          'Wie kündige ich den Vertrag für Gas?',
        ],
        additions: ['Ich habe einen anderen Anbieter.'],
        questions: [['Darf ich nach dem Grund fragen?', ['zu teuer', 'ich wechsle']]],
      },
      'Störung melden': {
        openings: [
          'Bei uns ist der Strom ausgefallen',
          'Wir haben seit heute früh keinen Strom',
          'Es gibt einen Stromausfall in unserer Straße',
          'Wann ist die Störung behoben? Alles ist dunkel',
        ],
        additions: ['Die Nachbarn sind auch betroffen.'],
        questions: [['Ist die Sicherung in Ordnung?', ['ja', 'ich glaube schon']]],
      },
    },
  },
];

/**
 * How common words are in the names of people in Brazil, by tiers: one person in so many carries a word of
 * the tier. Orders of magnitude as the census shows them, not counts; folded, without particles.
 */
export const BRAZILIAN_NAMES: readonly { oneIn: number; words: string }[] = [
  {
    oneIn: 12,
    words: `
      silva santos maria jose oliveira souza`,
  },
  {
    oneIn: 40,
    words: `
      ana joao antonio francisco carlos paulo pedro lucas luiz lima pereira ferreira costa rodrigues
      almeida nascimento alves carvalho ribeiro gomes martins araujo sousa aparecida rosa`,
  },
  {
    oneIn: 120,
    words: `
      marcos luis gabriel rafael daniel marcelo bruno eduardo felipe rodrigo manoel mateus andre
      fernando fabio leonardo gustavo guilherme leandro tiago thiago anderson ricardo marcio jorge
      alexandre roberto sebastiao julio cesar henrique diego vitor victor sergio claudio miguel
      adriano raimundo francisca adriana juliana marcia fernanda patricia aline sandra camila amanda
      bruna jessica leticia julia luciana vanessa mariana gabriela vera vitoria larissa claudia
      beatriz luana rita sonia renata eliane josefa simone natalia cristina carla debora rosangela
      raquel helena regina cristiane aparecido lucia marta terezinha conceicao lopes soares
      fernandes vieira barbosa rocha dias nunes mendes freitas cardoso teixeira ramos cavalcante
      moreira melo monteiro moura correia batista campos andrade barros borges miranda castro pinto
      duarte machado marques santana reis junior filho neto jesus cruz cunha matos`,
  },
  {
    oneIn: 400,
    words: `
      joaquim benedito domingos geraldo mario alex vinicius murilo samuel matheus david davi caio
      igor renato mauricio wagner edson gilberto wesley william wellington rogerio reginaldo cicero
      flavio elias nelson valdir severino ivan hugo arthur artur bernardo enzo nicolas isaac otavio
      emanuel danilo douglas jefferson jeferson everton robson renan alessandro cristiano luciano
      juliano fabiano fabricio sidnei valter walter osvaldo oswaldo orlando alberto augusto afonso
      alfredo armando arnaldo edgar ernesto eugenio gilmar gilson heitor humberto ismael jair joel
      josue laercio lauro lourenco manuel milton moises moacir nilton odair oscar osmar pablo raul
      reinaldo ronaldo rubens ruben saulo silvio tadeu tarcisio tomas valdemar vicente washington
      wilson adilson ademir ailton aldo altair amaro anselmo celso clayton cleber denis dirceu
      edmilson elton emerson fausto genivaldo genilson helio hamilton ivo jackson janio jonas
      jonatas jonathan kaique kleber michel nivaldo patrick ruan ryan theo abel adao adalberto alice
      isabela isabel sofia sophia laura manuela giovanna yasmin lorena luiza livia heloisa cecilia
      eloa rafaela daniela daniele danielle michele michelle tatiana tatiane viviane priscila monica
      solange silvia elisangela rosana roseli rosemeire ivone iracema ines irene edna eliana elaine
      denise edilene elza fabiana fatima gilda gisele gislaine glaucia graca iara ivanete jaqueline
      janaina joana joice josiane karina karen katia kelly lais lidia lilian lourdes lucilene luzia
      madalena magali margarida marilene marina marlene mirian miriam neide neusa nilza odete olga
      paloma paula poliana rebeca rosilene rosimeire rute sabrina sara sarah sheila silvana sueli
      suelen tania tais teresa tereza thais valeria vania veronica zilda abigail alessandra alzira
      andrea andreia angela angelica antonia bianca carolina caroline celia cintia clara cleide
      cristiana dalva damiana diana azevedo brito farias figueiredo fonseca franca franco garcia
      goncalves guimaraes leal leite lemos macedo maia medeiros menezes morais moraes mota motta
      nogueira novaes pacheco paiva pessoa pinheiro pires porto prado queiroz rangel rezende resende
      rios sa sales salles sampaio santiago siqueira tavares torres vasconcelos vaz viana vianna
      xavier aguiar amaral amorim antunes assis assuncao avila bastos bezerra braga brandao bueno
      cabral caldas camargo camara carneiro chagas chaves coelho coutinho dantas domingues dutra
      esteves evangelista falcao faria feitosa ferraz fontes furtado galvao guedes lacerda lins lobo
      magalhaes maciel marinho mello mesquita montenegro muniz neves padilha paes paixao passos
      peixoto pimenta pimentel portela quintino rego rosario sabino salgado santanna saraiva sena
      serra severo simoes sobrinho tavora toledo trindade valente valentim vargas veloso ventura
      vidal vilela zanetti alencar alvarenga arruda barreto barroso bonfim cavalcanti cordeiro
      custodio fagundes felix gouveia jardim luz marcelino meireles nobrega nobre ornelas penha
      quaresma rolim sardinha seixas telles teles uchoa`,
  },
  {
    oneIn: 2_500,
    words: `
      martinez gonzalez hernandez lopez perez sanchez ramirez flores rivera gomez diaz fernandez
      rodriguez rojas castillo gutierrez romero morales ortiz alvarez jimenez ruiz mendoza aguilar
      vega medina herrera guzman munoz delgado salazar soto contreras silvera quispe mamani condori
      choque juan javier luisa alejandro andres hector enrique angel carmen mercedes pilar dolores
      guadalupe marco martin omar ramon rene salvador guillermo arturo gerardo fidel esteban emilio
      hassan ali said nasser haddad khoury salim salem mohamad mohamed mohammed muhammad ahmad ahmed
      abdul ibrahim youssef yousef yusuf hussein hussain mahmoud mustafa khalil khaled khalid karim
      jamil fuad fouad faisal fayad farah nader nassif mansur mansour maluf issa george antoine
      samir rami tarek tariq walid ziad zaki hamad hamdan hammoud hanna daher darwich bittar bassam
      abdallah abdalla abdullah abd rahman rashid saleh saad sami musa mussa ismail isa nabil imad
      fadi elie charbel layla leila nadia samira amira mona huda hanan mariam zahra zeinab abboud
      assad attie awad aziz badawi chehab chaim cury jaber kassem kassab safadi sabbagh sarkis
      tannous temer zogbi kim lee park choi chen wang li zhang liu yang huang lin wu chang jung kang
      cho yoon han chan wong cheng sato suzuki tanaka watanabe yamamoto nakamura kobayashi ito saito
      kato yoshida yamada sasaki yamaguchi matsumoto inoue kimura hayashi shimizu mori abe ikeda
      hashimoto ishikawa ogawa okada fujita goto hasegawa murakami kondo oshiro higa miyashiro
      takahashi akira hiroshi kenji takeshi yuki keiko kazuo schmidt schneider muller mueller weber
      meyer becker hoffmann schulz klein wolf richter krause lange werner lehmann braun hartmann
      zimmermann kruger hofmann vogel keller fischer bauer peters hans karl heinz otto friedrich
      rudolf hermann helmut ingrid heidi ursula rossi ferrari russo bianchi romano colombo ricci
      marino greco gallo conti mancini rizzo lombardi moretti barbieri fontana mariani martini
      giuseppe giovanni luigi giulia francesca paolo pietro kowalski nowak lewandowski wisniewski
      wojcik kaminski zielinski szymanski ivanov petrov sokolov popov volkov smirnov novikov sergei
      andrei vladimir dmitri nikolai yuri boris alexei natasha irina svetlana elena viktor oleg john
      james robert michael richard thomas charles joseph smith johnson brown jones miller davis
      taylor white harris thompson peter paul mark steven kevin brian jean pierre jacques louis
      marie francois dubois bernard laurent simon`,
  },
];

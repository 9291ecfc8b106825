/**
 * How frequent words are in the names of people in Brazil. In each tier, one person in `oneIn` has a given word of the
 * tier. The numbers are orders of magnitude of the census. The words are folded and without particles.
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
    oneIn: 1_500,
    words: `
      jairo valdecir valdeci valmir vilmar edmar edimar ademar adenilson aguinaldo alcides alcindo
      aldair aldemir alexsandro alisson allan altamir amadeu amauri amilton anailton anibal antenor
      arlindo aroldo ary ataide atila aurelio ayrton baltazar benjamin bento breno carlito cassio
      cassiano celio cezar claudemir claudinei claudiney claudiomiro clodoaldo clovis constantino cosme
      cristovao damiao darci darcy davidson delfim demetrio deivid deivison dagoberto dorival edemilson
      eder edilson edinaldo edivaldo edvaldo ednaldo edinho elcio eliel elio eliseu elizeu elisio eloi
      eloy elvis enio erasmo eraldo erick erik ernani euclides euler evaldo evandro everaldo ezequiel
      ezio fabian fagner firmino flavinho florisvaldo francinaldo gaspar genesio geovane geovani
      geremias germano getulio gerson gilvan gilmario giovani giovane gleison gleidson graciliano
      gregorio guido haroldo helder herculano hermes hildebrando horacio hudson iago idalecio inacio
      ilson irineu isaias isaque isidoro italo itamar ivanildo ivair izaias jaci jacinto jacob jadson
      jailson jaime jayme jader jeova jeremias jeronimo joacir joaozinho job jocelino jocimar joelson
      jocelio jorginho josafa joselito josemar josenildo josias josimar jovino juarez juca jurandir
      juvenal juscelino laerte lazaro leandra leonel leonidas leopoldo levi lindomar lino livio lourival
      lucio ludovico luan luisinho macario magno maicon maikon manuelito marcal marcondes mariano
      marivaldo marlon martinho mauri mauro maximiano messias misael moacyr murillo napoleao natal
      natalicio natanael nelio nelsinho nereu nestor newton nicanor nilo nilson noel norberto odilon
      olavo olimpio olivio onofre oseias osmarino osni osorio otacilio otaviano otoniel ozeias ozorio
      percival placido quirino raimunda rariston raphael renildo ricardinho rildo rinaldo rodolfo
      rogerinho romario romeu romildo romulo rone roney ronildo ronilson roque rosalvo rosinaldo
      rosivaldo ruy rui salomao sandoval sandro santino saul sebastiana selmo severina sidney silas
      silvano silverio silvestre simao sinval sivaldo solon tancredo tarcilio teodoro teofilo tercio
      tiburcio tobias tulio ubaldo ubirajara ubiratan ulisses urbano uilson valentino valdo valdomiro
      valdemiro valeriano valterlan vandeilson vanderlei vanderley vanderson vicentina virgilio vitorino
      wagno waldemar waldir waldomiro wallace walmir wanderlei wanderley wanderson welington wellinton
      weslley wilian willian willians wilmar wladimir yago yan zacarias zenildo zeferino adelaide adelia
      adelina adriele agatha aida alaide alba albertina alcione aldenora alexandrina alexsandra alicia
      almerinda amalia anairda andressa anelise anita anny apolonia arlete aurea auxiliadora bernadete
      berenice candida carlota carmelita carmem cassandra cassia catarina catia celeste celina cidalia
      cilene clarice clarissa claudete claudiane claudineia cleonice cleusa cleuza cora creuza creusa
      dagmar daiana daiane daisy dalila damaris darlene dayana dayane delma deise denilda dilma dinora
      dirce divina domingas doralice dulce edileuza edilaine edinalva edinete edite edith edivania
      ednalva edneia elba eleonora elenice eleni elenita elia eliete elisa elisabete elisabeth elizabete
      elizabeth elizangela eloisa elvira emilia emily ercilia erica erika ermelinda esmeralda estefani
      ester esther etelvina eunice eva evelin evelyn fabiola fatinha felicia fernandinha filomena flavia
      flaviana florinda francinete franciele francielle francilene francine geisa genilda genoveva
      georgina geovana geralda gertrudes giane gilvania giovana gizele gleice gloria graziela graziele
      greice guiomar hilda hortencia hosana iasmin ilda ilma iona iolanda irani irenilda iris irma
      isabelle isadora isaura isis ivana ivani ivanilda ivete ivonete izabel izabela jacira jacqueline
      jamile jandira janete jani jane janice jeane jeanne jenifer jennifer joelma jordana josiele
      josilene josineide jovelina juana jucelia jucilene jurema jussara justina kamila karine karla
      karolina karoline katiane kauane keila kelen keli kellen kethelen laiane laisa larisse laurinda
      lavinia leda leidiane leni lenice lenir leocadia leonice leonora lia liana ligia lilia liliana
      liliane lina linda lindalva livramento loide lorenna luciene lucila lucimar lucimara lucinda
      lucineide lucinete ludmila luzinete maira maisa malvina mara marciana marcela marcele marcilene
      margareth margarete mariane marialva marianna maricelia maridalva marieta marilda marileide
      marilia marilza marinalva marineide marinete mariza marisa marisol maristela marivalda marizete
      marli marly marluce matilde mayara mayra meire melissa mercia micaela micheli milena milene mirela
      monalisa monique mylena nadir naiara naira nair natali natalie nathalia nayara neila neli nelci
      nelma nerci neuza nicole nilce nilda nilva nilzete noemi noemia nubia odila olinda olivia otilia
      palmira pamela perla petronila poliane pollyana quiteria rafaella raissa raiane rayane rayssa
      regiane rejane renilda roberta romilda rosalia rosalina rosalinda rosane rosania roseane roselia
      roselaine roselene rosemary rosemeri rosenilda rosilda rosimar rosimeri rosineide rosinete rosita
      ruth sabina salete samanta samantha samara sandrinha santina selma severiana shirlei shirley
      sidneia silmara silvania sirlei sirlene soraia soraya stefany stella stephanie suelene suellen
      suely susana suzana suzane suzi talita tamara tamires tarcila tassia tatiely telma thaisa thalia
      thalita thamires thayna thuane ursulina valdelice valdenice valdete valdinea valdineia valdirene
      valentina valquiria vanda vandeia vaneide vanilda vanusa veridiana vilma violeta virginia vitalina
      viviana wanda wanessa yara yolanda zelia zenaide zeneide zenilda zilma zoraide zuleica zuleide
      zulmira abrantes abreu acosta aguilera aires alcantara aleixo alencastro almada alvim amado
      amancio amarante ambrosio amorin anacleto anchieta andreotti anjos apolinario aquino aranha
      arantes arcanjo areias arnaud athayde avelar avelino ayres azeredo bacelar baia bahia balbino
      bandeira baptista barata barbalho barcellos barcelos barra barradas barreiros barreira bartolomeu
      basilio belchior belem bello belmonte beltrao benevides benevenuto benites bernardes bernardino
      berto bessa betim bettencourt bicalho bispo bittencourt boaventura boechat bonifacio borba bordin
      boscardin botelho bougainville brandt brasil braganca braz brum brunet buarque bulhoes burgos
      cabreira cachoeira cajueiro calado caldeira calheiros calixto callegari camacho camilo campelo
      campello candido canuto capanema cardozo cariello carmo carrasco carreira carreiro carrijo
      cascardo castanho castelo castilho castilhos catarino cavalheiro caxias cerqueira cesario cintra
      claro clemente colares conde consentino constancio coqueiro cordova correa corte cortes cortez
      couto cravo crispim crispin cristino cruzeiro curi dalmolin damas damasceno damasio delfino
      delmiro deus dionisio diogo dornelas dornelles drumond drummond eca eller encarnacao epifanio
      esperanca estacio estrela eustaquio fabris faleiro favero feijo felicio felisberto felizardo
      ferrao ferraro ferro fialho fidelis figueira figueiro fiuza flor florencio florentino fogaca
      folador fontenele fontoura fortes fortunato foss fraga fragoso franceschi franzoni frazao freire
      frota fraxe gadelha gaia gama galdino galhardo galindo galvez gaudencio geraldes giacomelli gil
      girao godinho godoi godoy goes gois gomide gondim gonzaga gouvea grassi grilo guerra guerreiro
      gurgel gusmao henriques hipolito holanda honorato honorio horta ibiapina ignacio infante isidro
      jacome jaques jatoba jordao justino justo kuhn laborda lacombe ladeira lago lages lamas lana
      landim lara larangeira laranjeira laurentino laurindo leao lemes leoncio leopoldino lessa liberato
      lindoso linhares lira lisboa loiola loureiro louzada lucena lustosa macena madeira madureira mafra
      maldonado malheiros malta mamede mangabeira maranhao marcolino mariz marra marreiro mascarenhas
      massena matias mattos maurano maximo mayer maynard mazza melgaco mendonca meneses mercadante
      milhomem milani minervino modesto monte morato moreno moro mourao moutinho munhoz murta narciso
      natividade navarro negrao negreiros neiva nepomuceno netto neri nery nicolau noronha novais
      octaviano olegario oliva otoni ottoni ouro padua paim palhares palma palmeira pantoja paranhos
      paraguassu pardo parente parreira paschoal passarinho passarelli pascoal patricio patrocinio
      paulino paulista pavan paz pecanha pedreira pedrosa pedroso peixe pena penna perdigao peres perin
      pessanha pestana petry picanco piedade pinho piovesan pita pitanga pitta pizarro pompeu ponciano
      pontes portella porfirio portugal possidonio prates prestes procopio proenca quadros queiros
      queiroga quevedo rabelo rabello ramalho ramires rampazzo raposo raposa rebelo reboucas redondo
      regis reinert renno requiao ribas ribeira romao rondon roriz rosado rosas rossetti rufino sabia
      saboia sacramento sagrado samico sandes santini santoro saldanha sarmento sarti savio schroeder
      seabra segundo senna serafim serejo serpa serrano sevilha sigiliano silveira simas sobral solano
      sores sotero souto spindola stefanello suassuna sutil tabosa taborda taveira tenorio terra thome
      tinoco toffoli tolentino toscano tourinho travassos trevisan troncoso trigueiro tupinamba
      valadares valadao valerio valim valle valverde varela varjao vasco vasques velasco veiga velho
      veras verissimo viegas vianney vidigal vilaca vilanova vilar vilas vilasboas villa villela vinhas
      virginio vital ximenes zago zampieri zanella zanin zanon zardo zimmer zorzi damato dangelo
      demarchi derossi donato esposito ferrara fabbri fiori galli gatti grossi lazzari leone longo
      lorenzetti manfredi marchetti marchi mazzoni meneghetti merlin milano monti morandi morelli negri
      olivieri pagani palermo parisi pasquali pavani pellegrini perini piazza poletti pozzi prandi righi
      rizzi sala salvi santi sartori silvestri simonetti sorrentino testa tonin tosi valentini venturini
      villani vitale vitali zanatta zanchetta zani`,
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

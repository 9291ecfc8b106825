/**
 * Names of Brazilians of foreign descent, as Brazilian registers write them. Each kind has given names and
 * family names. They were written for this measurement, and the matcher never reads them.
 */
export const FOREIGN_NAMES = {
  arabic: {
    given: `
      Abdalla Abdo Adel Ahmad Ahmed Ali Amal Amin Amir Amira Anis Anuar Aref Aziz Bassam Bilal Camal Charbel
      Chafic Emir Fadi Faissal Farid Farida Fatima Fauzi Fayez Fuad Georges Ghassan Habib Hadi Hamid Hamza Hanan
      Hassan Hicham Houssam Hussein Ibrahim Imad Issam Jamal Jamil Jamile Jihad Kamal Kamel Karim Khaled Khalil
      Latifa Layla Leila Lina Maha Mahmoud Mahmud Majed Mariam Marwan Michel Mohamad Mohamed Mona Mounir Munir
      Mustafa Nabil Nadia Nadim Nagib Najla Naji Najib Nasser Nazira Nicolau Omar Osama Rachid Rafic Rami Rana
      Rania Riad Rima Saad Sadi Said Salim Salma Salua Sami Samia Samir Samira Sara Soraia Suad Suheil Tarek
      Taufic Wadih Walid Wassim Yara Yasmin Youssef Zainab Zaki Zeina Zeinab Ziad`,
    family: `
      Abboud Abbud Abdalla Abdallah Abdo Abou Abrahao Achcar Adas Aidar Ajaj Akel Akl Ali Alam Amin Aoun Arbex
      Assad Assaf Atallah Auada Awad Ayoub Ayub Azar Aziz Bacha Badra Baracat Barakat Bassit Bechara Bittar
      Boutros Buainain Bussab Calil Chacur Chahin Chahine Chaim Chalhoub Chaluppe Chamas Chamon Chebli Chedid
      Chehab Chequer Cury Curi Daher Darwich Dib Duailibi Elias Fadel Fakhoury Farah Farhat Fares Fayad Feres
      Ferzoli Gabriel Gebara Ghanem Ghannoum Haddad Hage Haidar Hajj Hamad Hamdan Hamade Hammoud Hanna Hassan
      Hatoum Hauache Helou Hussein Ibrahim Isper Issa Izzat Jaber Jabour Jaude Jorge Kadri Kalil Kalache Kallas
      Kanaan Karam Kassab Kassem Kfouri Khalil Khatib Khouri Khoury Kury Lahud Lotaif Lutfi Maalouf Mahmud
      Majzoub Makhoul Malouf Maluf Mansour Mansur Massoud Massud Matar Mattar Merhi Mikhail Miziara Mourad Mussa
      Mussi Mustafa Nacif Nader Naim Najar Nasr Nasrallah Nasser Nassar Nassif Nicolau Nimer Obeid Osman Ozório
      Rahal Rahme Ramadan Rizk Rizkallah Saab Saad Saba Sabbagh Sader Safadi Safatle Saleh Salem Salha Salim
      Salomao Samara Sarkis Sarruf Sater Sauaia Sawaya Sayegh Scaff Seba Simao Skaf Sleiman Suleiman Sultan
      Tahan Taha Tanus Tauil Tebet Temer Tuma Yazbek Yazigi Younes Youssef Yunes Zaccour Zaher Zaidan Zarzur
      Zein Zeitune Zogbi`,
  },
  japanese: {
    given: `
      Akemi Akira Ayumi Emi Eiji Haruo Haruka Hideki Hideo Hiroshi Hiroko Issao Jun Kaori Kazuo Keiko Kenji
      Kiyoshi Koji Kumiko Mari Marie Massao Mayumi Megumi Michiko Mitsuo Naomi Noboru Noriko Osamu Sachiko
      Satiko Satoshi Sayuri Shigeo Shizuko Sumiko Takashi Takeshi Tatsuo Tetsuo Tiemi Toshio Yoko Yoshiko Yukari
      Yukio Yumi Yuri`,
    family: `
      Abe Akamine Arakaki Aoki Endo Fujimoto Fujita Fukuda Goto Hara Harada Hasegawa Hashimoto Hayashi Higa
      Hirata Honda Ikeda Inoue Ishida Ishii Ishikawa Ito Iwata Kamei Kato Kawasaki Kimura Kinjo Kobayashi Kondo
      Maeda Matsuda Matsumoto Miyamoto Miyazaki Mori Morita Murakami Nagata Nakagawa Nakahara Nakamura Nakashima
      Nishida Nishimura Nomura Ogata Ogawa Okada Okamoto Okumura Oshiro Ota Saito Sakamoto Sasaki Sato
      Shimabukuro Shimizu Shiraishi Sugimoto Suzuki Takahashi Takeda Tamashiro Tanaka Tokunaga Tsuji Uehara Ueno
      Wada Watanabe Yamada Yamaguchi Yamamoto Yamashita Yokoyama Yoshida Yoshimura`,
  },
  italian: {
    given: `
      Alberto Aldo Alessandra Alessandro Angela Angelo Antonella Antonio Bianca Bruna Bruno Caetano Carla Carlo
      Carmela Chiara Claudio Dante Domenico Enrico Enzo Fabio Fabrizio Federico Filippo Francesca Francesco
      Gabriella Giacomo Gianluca Gina Giorgio Giovana Giovanna Giovanni Giulia Giuseppe Graziela Guido Isabella
      Leonardo Lorenzo Luca Lucca Luigi Marcello Marco Mario Marina Matteo Maurizio Nicola Paola Paolo Pietra
      Pietro Raffaella Renata Renzo Roberta Romeo Rosana Sandro Sergio Silvana Stefano Tiziana Valentina
      Vincenzo Vito Vittorio`,
    family: `
      Agostini Amato Baggio Baldi Barbieri Basso Battisti Bellini Benedetti Bernardi Bertolini Betti Bianchi
      Bonatto Bortolini Boscolo Brambilla Bruni Callegari Caputo Carlini Caruso Casagrande Cattani Cavalli
      Ceccato Colombo Conti Coppola Cosentino Costanzi Dagostini Dalla Damiani Debiasi Deluca Fabbri Facchini
      Fadel Farina Fasolo Ferrari Ferretti Ferri Fiorini Fontana Forlin Franchi Franzini Furlan Gallo Garbin
      Gasparini Gentile Ghizzi Giordano Girardi Grassi Greco Grillo Guidi Lazzari Leone Lombardi Longo Lorenzi
      Lovato Maggi Mancini Mantovani Marchesi Marchetti Mariani Marini Martinelli Mazzini Menegatti Mezzomo
      Milani Molinari Montanari Morelli Moretti Nardi Negri Orsini Pacini Pagani Palma Panizzi Parisi Pasini
      Pellegrini Perin Piccoli Pieri Poli Pozza Ricci Rinaldi Rizzo Romano Rossi Rossini Ruggeri Salvatori
      Santini Sartori Scarpa Spada Testa Tonelli Tosi Trevisan Valentini Vecchi Venturi Vianello Vitali Volpi
      Zanatta Zanella Zanetti Zanin Zanotti Zucchi`,
  },
  jewish: {
    given: `
      Aaron Abraham Adina Alan Alberto Ariel Arnaldo Benjamin Berta Bernardo Boris Clara Dan Daniel David Davi
      Deborah Denise Eli Elias Eliana Ester Esther Ezequiel Fanny Fernando Flora Gabriel Hana Hannah Helena
      Henrique Ilan Isaac Isac Israel Ivo Jacob Jacques Jaime Jayme Jonas Jonathan Jose Judith Leah Leon Levi
      Lia Marcelo Marcos Mauricio Max Michel Miriam Moises Moshe Nathan Noemi Rachel Rafael Raquel Rebeca
      Ricardo Roberto Ruth Salomao Samuel Sara Saul Sergio Sheila Silvia Simon Tamar Yael`,
    family: `
      Abravanel Adler Aizen Alalouf Altman Amsel Arditi Axelrud Azulay Band Behar Benchimol Benoliel Bensadon
      Berger Berkowitz Bernstein Birman Blay Blinder Bloch Blumenfeld Brickman Cohen Czeresnia Diamant Dayan
      Edelstein Efraim Eizirik Epstein Feffer Feldman Fichman Finkelstein Fishman Flaksman Fleischman Friedman
      Fuks Gandelman Gelman Ghelman Glasberg Goldberg Goldenstein Goldman Gordon Gorenstein Grinberg Grinspan
      Gruber Haber Hazan Herzog Iankel Jacobsohn Kahn Kalinsky Katz Kaufman Klabin Klein Knobel Kogan Kohn
      Krasilchik Lafer Landau Lerner Levi Levy Lewin Lichtenstein Lispector Mandelbaum Mester Meyer Milner
      Mindlin Mizrahi Nasser Nigri Nudelman Oksman Pinsky Rabinovich Raskin Roitman Rosenberg Rosenthal
      Rozenfeld Rubin Sabba Safra Schechter Schneider Schvartsman Segal Serebrenick Serruya Shapiro Sirotsky
      Spector Stein Steinberg Sztajn Tabacow Teperman Treiger Unger Wainer Wajnberg Waisman Weinberg Weiss Wolff
      Zagury Zaltzman Zilberman Zylberstajn`,
  },
  'chinese-korean': {
    given: `
      Bo Chang Chen Cheng Chi Chul Da Eun Fang Feng Guang Hai Hao Ho Hong Hua Hui Hye Hyun Jae Ji Jia Jian Jie
      Jin Jing Joon Jun Jung Kai Kwang Kyung Lan Lei Li Lin Ling Mei Min Ming Myung Na Ning Pei Ping Qiang Qing
      Rui Sang Seung Shan Shu Soo Soon Sung Tao Ting Wei Wen Won Woo Xia Xiao Xin Yan Yang Yi Ying Yong Young Yu
      Yuan Yun Zhen Zhi`,
    family: `
      Ahn Bae Baek Cao Chan Chang Chao Chen Cheng Cheung Chiang Cho Choi Chou Chow Chu Chung Fan Fang Feng Fu
      Gao Go Guo Han He Ho Hong Hsieh Hsu Hu Huang Hwang Jang Jeon Jeong Jiang Jin Jo Jung Kang Kim Ko Koo Kwak
      Kwon Lai Lam Lau Lee Leung Li Liang Liao Lim Lin Liu Lo Lu Luo Ma Moon Nam Noh Oh Pan Park Peng Qiu Seo
      Shen Shim Shin Sim Son Song Suh Sun Tan Tang Tsai Tsang Tseng Wang Wei Wong Woo Wu Xie Xu Yan Yang Ye Yeh
      Yoo Yoon You Yu Yuan Zeng Zhang Zhao Zheng Zhong Zhou Zhu`,
  },
  hispanic: {
    given: `
      Alejandra Alejandro Alfonso Andres Angel Angelica Beatriz Carlos Carmen Carolina Catalina Cesar Consuelo
      Cristina Daniel Diana Diego Dolores Eduardo Elena Enrique Esteban Esther Eva Fabian Felipe Fernando
      Francisco Freddy Gabriela Gerardo German Gloria Gonzalo Guadalupe Guillermo Gustavo Hector Hernan Hugo
      Ignacio Irma Ivan Jaime Javier Jesus Jorge Jose Josefina Juan Juana Julio Lucia Luis Luisa Luz Manuel
      Marcela Maria Mariana Mario Martin Mercedes Miguel Monica Nestor Nicolas Oscar Pablo Patricia Pedro Pilar
      Rafael Ramiro Ramon Raul Ricardo Roberto Rocio Rodrigo Rosa Ruben Santiago Sergio Silvia Sofia Teresa
      Tomas Veronica Vicente Victor Ximena Yolanda`,
    family: `
      Acosta Aguilar Aguirre Alarcon Alvarez Aranda Arce Arias Avalos Ayala Benitez Blanco Bravo Bustos Cabrera
      Caceres Calderon Campos Cardenas Carrasco Castillo Castro Chavez Choque Condori Contreras Cordero Cortes
      Cruz Delgado Diaz Dominguez Duarte Escobar Espinoza Fernandez Figueroa Flores Fuentes Galeano Garcia
      Gimenez Godoy Gomez Gonzalez Guerrero Gutierrez Guzman Hernandez Herrera Huanca Jara Jimenez Leiva Lopez
      Lozano Mamani Marquez Martinez Medina Mejia Mendez Mendoza Molina Morales Moreno Navarro Nunez Ojeda
      Orellana Orozco Ortega Ortiz Paredes Paz Pena Perez Pinto Quispe Ramirez Ramos Reyes Rios Rivas Rivera
      Rodriguez Rojas Romero Ruiz Salazar Salinas Sanchez Sandoval Silva Soto Suarez Torres Valdez Valencia
      Vargas Vasquez Vega Velasquez Vera Villalba Zapata Zarate Zambrano`,
  },
  slavic: {
    given: `
      Adam Alexandre Alexei Anastasia Anatoly Andre Andrei Anna Basilio Boris Casimiro Dimitri Ekaterina Elena
      Estanislau Eugenia Eva Gregorio Helena Igor Ilya Irina Ivan Ivo Jadwiga Joana Julia Katarina Konstantin
      Ladislau Larissa Leonid Ludmila Marek Maria Mariana Marta Maxim Mikhail Miroslau Nadia Natalia Nicolai
      Nicolau Nikita Oksana Olga Oleg Paulo Pavel Pedro Roman Sergei Sofia Stanislaw Svetlana Tadeu Tatiana
      Teodoro Valentina Vera Victor Vitor Vladimir Volodimir Wanda Yuri Zenon`,
    family: `
      Andreiev Antonov Baran Bartoszek Belov Bilinski Bobrowski Bogdanov Bondarenko Borges Buczek Chevtchenko
      Czarnecki Dacorso Dobrovolski Dombrowski Fedorov Gavrilov Golovin Gorski Grabowski Ianovski Ignatenko Iurk
      Ivanov Jablonski Jankowski Kaminski Karpenko Kasprzak Kchevinski Klimczak Kluska Kopacz Korolev Kotov
      Koval Kovalenko Kovalski Kozak Kozlowski Krawczyk Krupa Kruk Kubiak Kucharski Kuzmin Lebedev Leonov
      Lewandowski Lipinski Lukaszewicz Majewski Makarov Malinowski Markov Marchenko Mazur Melnik Michalski Moroz
      Morozov Mroz Nikolaev Novak Nowicki Olenik Orlov Ostapenko Paluch Panasiuk Pavlov Petrenko Petrov Pilarski
      Piotrowski Polak Popov Prus Romanov Rutkowski Sadowski Savchenko Sawicki Semenov Sikorski Sobolev Sokolov
      Sokolowski Stachuk Stepanov Szymanski Tarasov Tkachuk Tomczak Vasiliev Volkov Wasilewski Wisniewski
      Witkowski Wrobel Zaborowski Zaitsev Zawadzki Zielinski`,
  },
} as const;
